//! A function whose parameter is refused is called: one error.

use tilewise::prelude::*;

#[amp]
fn first(a: &[i32]) -> i32 {
    a[0]
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = first(&[1, 2]);
    })
}
