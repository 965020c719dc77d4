//! An element is assigned on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0; 4])?;
    view[3] = 1;
    Ok(())
}
