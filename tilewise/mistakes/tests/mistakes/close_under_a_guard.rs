//! A view is closed while a guard holds it.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    let guard = view.host()?;
    view.close()?;
    assert_eq!(guard[0], 0);
    Ok(())
}
