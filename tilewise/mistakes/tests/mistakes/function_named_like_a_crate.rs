//! A function without `#[amp]` is called, and it has the name of a crate.

use tilewise::prelude::*;

fn core(x: f32) -> f32 {
    x / 2.0
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = core(out[i]);
    })
}
