//! A float as position, on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    let x = view.get(1.5)?;
    assert_eq!(x, 0.0);
    Ok(())
}
