//! Two rows of one guard are borrowed to be changed.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec((2, 2), vec![1, 2, 3, 4])?;
    let mut elements = view.host_mut()?;
    let (first, second) = (elements.row_mut((0, 0)), elements.row_mut((1, 0)));
    first.swap_with_slice(second);
    Ok(())
}
