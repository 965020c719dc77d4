//! An extent of rank 2 for a view of rank 1.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0.0_f32; 4];
    let view: ArrayView<f32, 1> = ArrayView::new((2, 2), &mut data)?;
    view.close()?;
    Ok(())
}
