//! `direct3d::clamp` is for `i32` and `f32`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![1.0_f64; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = direct3d::clamp(out[i], 0.0, 1.0);
    })
}
