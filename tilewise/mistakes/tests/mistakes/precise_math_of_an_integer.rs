//! `precise_math` is for floats.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f64; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = precise_math::exp(i[0]) as f64;
    })
}
