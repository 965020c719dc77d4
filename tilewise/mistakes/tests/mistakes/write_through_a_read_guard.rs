//! What `host()` gives is read only.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    let elements = view.host()?;
    elements[0] = 1.0;
    Ok(())
}
