//! A name in capitals is a constant in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let LIMIT = 3;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = LIMIT as f32;
    })
}
