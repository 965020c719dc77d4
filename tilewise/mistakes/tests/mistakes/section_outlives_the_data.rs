//! A section lives on when the data that its view borrowed is gone.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let part;
    {
        let mut data = vec![0; 8];
        part = ArrayView::new(8, &mut data)?.section(2, 2);
    }
    part.fill(1)
}
