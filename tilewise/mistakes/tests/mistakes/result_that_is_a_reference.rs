//! A function for kernels gives a value.

use tilewise::prelude::*;

#[amp]
fn same(x: &mut f32) -> &mut f32 {
    x
}

fn main() {}
