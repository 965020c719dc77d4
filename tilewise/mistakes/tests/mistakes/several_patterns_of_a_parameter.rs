//! A parameter of a function with several patterns.

use tilewise::prelude::*;

#[amp]
fn f(((Some(k), _) | (None, k)): (Option<i32>, i32)) -> i32 {
    k
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = f((Some(i[0]), 9));
    })
}
