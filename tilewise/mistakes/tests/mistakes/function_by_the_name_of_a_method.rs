//! `precise_math` has C++ AMP's names: the natural logarithm is `log`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![1.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = precise_math::ln(out[i]);
    })
}
