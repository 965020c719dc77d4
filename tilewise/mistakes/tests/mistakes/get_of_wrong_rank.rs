//! A position of rank 1 in a view of rank 2, on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let grid = ArrayView::from_vec((2, 2), vec![0.0_f32; 4])?;
    let x = grid.get(3)?;
    assert_eq!(x, 0.0);
    Ok(())
}
