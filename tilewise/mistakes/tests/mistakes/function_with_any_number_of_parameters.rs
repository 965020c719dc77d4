//! A function of a kernel has a fixed number of parameters.

use tilewise::prelude::*;

#[amp]
fn sum(first: i32, _: ...) -> i32 {
    first
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = sum(i[0]);
    })
}
