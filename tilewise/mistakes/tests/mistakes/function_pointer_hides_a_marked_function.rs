//! A parameter of the host's function has the name of an `#[amp]` function.

use tilewise::prelude::*;

#[amp]
fn scaled(x: i32) -> i32 {
    x * 2
}

fn launch(scaled: fn(i32) -> i32) -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = scaled(i[0]);
    })
}

fn main() -> tilewise::Result<()> {
    launch(|x| x * 3)
}
