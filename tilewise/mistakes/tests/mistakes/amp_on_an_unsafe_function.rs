//! A function for kernels is safe.

use tilewise::prelude::*;

#[amp]
unsafe fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() {}
