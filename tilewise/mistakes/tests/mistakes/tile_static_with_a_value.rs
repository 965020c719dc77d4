//! What a tile shares begins as zero and has no other first value.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent().tile::<4>(), |t| {
        #[tile_static]
        let sums: [f32; 4] = [0.0; 4];
        t.barrier.wait();
        out[t] = sums[0];
    })
}
