//! A function without `#[amp]` is an argument, by its name.

use tilewise::prelude::*;

fn halved(x: i32) -> i32 {
    x / 2
}

#[amp]
fn twice<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
    f(f(x))
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = twice(halved, i[0]);
    })
}
