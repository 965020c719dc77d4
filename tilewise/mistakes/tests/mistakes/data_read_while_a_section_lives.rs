//! The view is closed, and a section of it still borrows the data.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = vec![0; 8];
    let view = ArrayView::new(8, &mut data)?;
    let part = view.section(2, 2);
    view.close()?;
    assert_eq!(data[0], 0);
    part.fill(1)
}
