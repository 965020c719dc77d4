//! A function is called, not held.

use tilewise::prelude::*;

#[amp]
fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let f = halved;
        out[i] = f(out[i]);
    })
}
