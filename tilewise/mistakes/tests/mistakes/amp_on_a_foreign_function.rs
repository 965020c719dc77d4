//! A function for kernels has no ABI.

use tilewise::prelude::*;

#[amp]
extern "C" fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() {}
