//! Vectors of two lengths are added.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let v = Float2::new(1.0, 2.0) + Float3::new(1.0, 2.0, 3.0);
        out[i] = v.x;
    })
}
