//! A float as position in a local array.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1.0, 2.0];
        out[i] = a[out[i]];
    })
}
