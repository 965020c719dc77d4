//! A loop over references to a `#[tile_static]` array.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent().tile::<4>(), |t| {
        #[tile_static]
        let a: [i32; 4];
        a[t.local[0]] = 1;
        t.barrier.wait();
        for x in a.iter() {
            out[t.global] += *x;
        }
    })
}
