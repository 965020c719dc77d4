//! A struct without `derive(AmpStruct)` is captured as a whole.

use tilewise::prelude::*;

#[derive(Clone, Copy)]
struct Weights {
    near: f32,
}

fn main() -> tilewise::Result<()> {
    let weights = Weights { near: 1.0 };
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let copy = weights;
        out[i] = copy.near;
    })
}
