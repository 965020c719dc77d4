//! An array of the host that is captured cannot be changed.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let sums = [0.0; 4];
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        sums[0] = 1.0;
        out[i] = sums[1];
    })
}
