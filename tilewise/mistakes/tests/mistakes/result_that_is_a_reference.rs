//! A function for kernels gives a value.

use tilewise::prelude::*;

#[amp]
fn same(x: &f32) -> &f32 {
    x
}

fn main() {}
