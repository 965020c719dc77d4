//! The functions with `f` at the end are for `f32`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f64; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = precise_math::sinf(out[i]) as f64;
    })
}
