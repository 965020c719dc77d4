//! A view of truth values.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let _view = ArrayView::from_vec(4, vec![false; 4])?;
    Ok(())
}
