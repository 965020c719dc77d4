//! A part of a view is gone over by its indices.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        for x in &out[1..3] {
            out[i] = x;
        }
    })
}
