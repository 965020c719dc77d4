//! There is no heap in a kernel: a list of an array.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x: Vec<f32> = Vec::from([1.0, 2.0]);
        out[i] = 1.0;
    })
}
