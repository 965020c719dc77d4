//! A method of integers that kernels do not have.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = out[i].strict_add(2);
    })
}
