//! A name without `mut` is given a second value.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let sum = 0.0;
        sum = sum + out[i];
        out[i] = sum;
    })
}
