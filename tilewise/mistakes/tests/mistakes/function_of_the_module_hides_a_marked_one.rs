//! A function without `#[amp]` has the name of one that a `use` of everything imports.

use tilewise::fast_math::*;
use tilewise::prelude::*;

fn pow(x: f32, y: f32) -> f32 {
    x * y
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = pow(out[i], 3.0);
    })
}
