//! A method is handed on as a closure.

use tilewise::prelude::*;

struct Half;

#[amp]
impl Half {
    fn of(x: f32) -> f32 {
        0.5 * x
    }
}

#[amp]
fn map<F: Fn(f32) -> f32>(x: f32, f: F) -> f32 {
    f(x)
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = map(out[i], Half::of);
    })
}
