//! A view that only reads is changed on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let data = [1.0_f32; 4];
    let view = ArrayView::read_only(4, &data)?;
    view.set(0, 1.0)?;
    Ok(())
}
