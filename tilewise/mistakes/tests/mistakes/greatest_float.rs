//! Floats have no order of their own.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1.5, 2.5, i[0] as f32];
        out[i] = a.iter().copied().max().unwrap_or(0.0);
    })
}
