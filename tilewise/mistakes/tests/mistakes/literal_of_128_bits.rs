//! A literal beyond 64 bits.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let big = 340282366920938463463374607431768211455;
        out[i] = 1.0;
    })
}
