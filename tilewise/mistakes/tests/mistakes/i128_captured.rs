//! An `i128` is captured.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let big = 1_i128;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let copy = big;
        out[i] = 1.0;
    })
}
