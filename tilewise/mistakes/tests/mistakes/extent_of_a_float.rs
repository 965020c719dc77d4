//! A float as extent.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut data = [0.0_f32; 4];
    let view = ArrayView::new(4.0, &mut data)?;
    view.close()?;
    Ok(())
}
