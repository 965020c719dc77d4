//! A loop runs over integers, not over elements.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let weights = [1.0, 2.0];
        for w in weights {
            out[i] = w;
        }
    })
}
