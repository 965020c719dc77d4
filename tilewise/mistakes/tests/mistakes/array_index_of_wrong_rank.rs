//! An array of two numbers as position in a view of rank 1.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[[0, i[0]]] = 1.0;
    })
}
