//! A function of `main` hides the marked one of the module.

use tilewise::prelude::*;

#[amp]
fn halved(x: i32) -> i32 {
    x / 2
}

#[amp]
fn twice<F: Fn(i32) -> i32>(f: F, x: i32) -> i32 {
    f(f(x))
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    fn halved(x: i32) -> i32 {
        x / 3
    }
    parallel_for_each!(out.extent(), |i| {
        out[i] = twice(halved, i[0]);
    })
}
