//! A function for kernels gives plain data.

use tilewise::prelude::*;

#[amp]
fn name(x: f32) -> String {
    loop {}
}

fn main() {}
