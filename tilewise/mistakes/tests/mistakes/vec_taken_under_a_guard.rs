//! The Vec is taken back while a guard holds its elements.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    let elements = view.host()?;
    let back = view.into_vec()?;
    assert_eq!(elements[0], back[0]);
    Ok(())
}
