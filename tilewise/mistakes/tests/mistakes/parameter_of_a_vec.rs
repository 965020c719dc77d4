//! A parameter that is a `Vec`.

use tilewise::prelude::*;

#[amp]
fn first(a: Vec<f32>) -> f32 {
    1.0
}

fn main() {}
