//! A view that only reads stays so.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let data = [0.0_f32; 4];
    let view: ArrayView<f32> = ArrayView::read_only(4, &data)?.into();
    view.close()?;
    Ok(())
}
