//! A function that is handed on is marked too.

use tilewise::prelude::*;

#[amp]
fn map<F: Fn(f32) -> f32>(x: f32, f: F) -> f32 {
    f(x)
}

fn square(x: f32) -> f32 {
    x * x
}

#[amp]
fn squared(x: f32) -> f32 {
    map(x, square)
}

fn main() {}
