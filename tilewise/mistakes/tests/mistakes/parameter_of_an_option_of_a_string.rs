//! An `Option` in a kernel holds a value of a kernel.

use tilewise::prelude::*;

#[amp]
fn first(a: Option<String>) -> f32 {
    1.0
}

fn main() {}
