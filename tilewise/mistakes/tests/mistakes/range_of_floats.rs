//! A loop counts in integers.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        for x in 0.0..1.0 {
            out[i] = x;
        }
    })
}
