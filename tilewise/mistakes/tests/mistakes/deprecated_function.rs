//! A deprecated function, which is reported once.

#![deny(deprecated)]

use tilewise::prelude::*;

#[amp]
#[deprecated = "there is a new one"]
fn old(x: i32) -> i32 {
    x + 1
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = old(i[0]);
    })
}
