//! A view of rank 1 has no rows.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    let row: ArrayView<f32, 1> = view.project(0);
    row.close()?;
    Ok(())
}
