//! Only a view of rank 1 has its bytes in one piece.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec((2, 2), vec![0.0_f32; 4])?;
    let bits = view.reinterpret_as::<u32>();
    bits.close()?;
    Ok(())
}
