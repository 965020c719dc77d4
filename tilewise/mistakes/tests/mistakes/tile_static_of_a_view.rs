//! A view cannot lie in the memory of a tile.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent().tile::<4>(), |t| {
        #[tile_static]
        let sums: ArrayView<'static, f32>;
        t.barrier.wait();
        out[t] = 1.0;
    })
}
