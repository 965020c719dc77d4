//! A function of the standard library is called.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = std::hint::black_box(i[0]);
        out[i] = a as f32;
    })
}
