//! A view that writes needs the data for itself.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let data = [0.0_f32; 4];
    let view = ArrayView::new(4, &data)?;
    view.close()?;
    Ok(())
}
