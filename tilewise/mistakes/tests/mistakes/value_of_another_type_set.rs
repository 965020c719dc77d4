//! A number of another type is stored from the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    view.set(0, 1)?;
    Ok(())
}
