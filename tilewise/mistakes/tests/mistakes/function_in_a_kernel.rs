//! A function declared in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        fn halved(x: f32) -> f32 {
            x / 2.0
        }
        out[i] = halved(out[i]);
    })
}
