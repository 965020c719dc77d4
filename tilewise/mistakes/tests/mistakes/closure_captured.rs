//! A closure of the host is called.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let twice = |x: f32| x * 2.0;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = twice(out[i]);
    })
}
