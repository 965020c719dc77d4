//! A launch without tiles has no memory of tiles.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        #[tile_static]
        let sums: [f32; 4];
        out[i] = sums[0];
    })
}
