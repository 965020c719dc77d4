//! A `Vec` is captured.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let weights = vec![1.0_f32; 4];
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = weights[0];
    })
}
