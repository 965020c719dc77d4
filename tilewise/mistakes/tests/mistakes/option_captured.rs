//! An `Option` is captured.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let weight = Some(1.0_f32);
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let copy = weight;
        out[i] = 1.0;
    })
}
