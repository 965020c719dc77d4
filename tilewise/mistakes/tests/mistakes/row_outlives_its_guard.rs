//! A row is kept longer than the guard it is of.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec((2, 2), vec![1, 2, 3, 4])?;
    let row = view.host()?.row((1, 0));
    assert_eq!(row[0], 3);
    Ok(())
}
