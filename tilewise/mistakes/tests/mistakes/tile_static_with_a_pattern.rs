//! What a tile shares has one name.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent().tile::<4>(), |t| {
        #[tile_static]
        let (a, b): (f32, f32);
        out[t] = 1.0;
    })
}
