//! A `let` says its type or has a value.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x;
        x = out[i];
        out[i] = x + 1.0;
    })
}
