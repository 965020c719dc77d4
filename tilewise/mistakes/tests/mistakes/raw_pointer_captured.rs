//! A raw pointer is captured.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let data = [1.0_f32; 4];
    let pointer = data.as_ptr();
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let copy = pointer;
        out[i] = 1.0;
    })
}
