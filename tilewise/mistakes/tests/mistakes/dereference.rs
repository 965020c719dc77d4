//! `*` of a captured reference: captures are values.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x = *out;
        out[i] = 1.0;
    })
}
