//! A view of strings.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let _view = ArrayView::from_vec(4, vec![String::new(); 4])?;
    Ok(())
}
