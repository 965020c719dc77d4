//! The function takes what is handed to it.

use tilewise::prelude::*;

#[amp]
fn map<F: Fn(f32) -> f32>(x: f32, f: F) -> f32 {
    f(x)
}

#[amp]
fn square(x: i32) -> i32 {
    x * x
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = map(out[i], self::square);
    })
}
