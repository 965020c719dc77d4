//! A `#[tile_static]` array is written at a number, not at the `Index` of a thread.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(Extent([4]).tile::<4>(), |t| {
        #[tile_static]
        let shared: [u32; 4];
        shared[t.local] = 1;
        t.barrier.wait();
        out[t.global] = shared[t.local[0]];
    })
}
