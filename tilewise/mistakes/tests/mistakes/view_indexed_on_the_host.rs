//! A view is indexed on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    let x = view[3];
    assert_eq!(x, 0);
    Ok(())
}
