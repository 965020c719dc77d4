//! A range is no iterator elsewhere.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = (0..i[0]).fold(0, |a, b| a + b);
    })
}
