//! A name is read that has no value on every way.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x: f32;
        if i[0] > 1 {
            x = 1.0;
        }
        out[i] = x;
    })
}
