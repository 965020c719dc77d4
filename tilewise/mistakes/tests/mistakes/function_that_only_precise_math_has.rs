//! `fast_math` has fewer functions than `precise_math`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![1.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = fast_math::cbrt(out[i]);
    })
}
