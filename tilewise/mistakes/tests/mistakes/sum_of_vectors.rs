//! A sum of vectors is no number.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [Float2::new(1.0, 2.0), Float2::new(3.0, 4.0)];
        let sum: Float2 = a.iter().copied().sum();
        out[i] = sum.x;
    })
}
