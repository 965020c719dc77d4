//! The results are read before the view gives them back.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0; 4];
    let view = ArrayView::new(4, &mut data)?;
    parallel_for_each!(view.extent(), |i| {
        view[i] = 1;
    })?;
    assert_eq!(data[0], 1);
    Ok(())
}
