//! A `&mut` is captured.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let mut total = 0.0_f32;
    let sum = &mut total;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        *sum += out[i];
    })
}
