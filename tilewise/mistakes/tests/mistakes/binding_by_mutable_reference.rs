//! `ref mut` in a pattern, whose name is used.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let pair = (out[i], 2.0);
        let (ref mut a, b) = pair;
        *a += b;
        out[i] = *a;
    })
}
