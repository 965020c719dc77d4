//! A function with `#[amp]` calls one without.

use tilewise::prelude::*;

fn halved(x: f32) -> f32 {
    x / 2.0
}

#[amp]
fn quarter(x: f32) -> f32 {
    halved(x) / 2.0
}

fn main() {}
