//! A view of floats over integers.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0_i32; 4];
    let view: ArrayView<f32> = ArrayView::new(4, &mut data)?;
    view.close()?;
    Ok(())
}
