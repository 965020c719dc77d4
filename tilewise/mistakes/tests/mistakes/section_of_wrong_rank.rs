//! A section of rank 2 of a view of rank 1.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    let part = view.section((0, 0), 2);
    part.fill(1.0)?;
    Ok(())
}
