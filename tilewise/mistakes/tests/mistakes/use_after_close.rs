//! A view is used after it was closed.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    view.close()?;
    view.set(0, 1)?;
    Ok(())
}
