//! A function of the standard library is called.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = std::cmp::max(i[0], 2);
        out[i] = a as f32;
    })
}
