//! Only a view of rank 1 takes another shape.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec((2, 2), vec![0.0_f32; 4])?;
    let row = view.view_as(4);
    row.close()?;
    Ok(())
}
