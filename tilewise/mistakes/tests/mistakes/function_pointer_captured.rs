//! A function pointer is called.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let f: fn(f32) -> f32 = f32::sqrt;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = f(out[i]);
    })
}
