//! A parameter that is a slice; views and arrays have a place in kernels.

use tilewise::prelude::*;

#[amp]
fn first(a: &[f32]) -> f32 {
    1.0
}

fn main() {}
