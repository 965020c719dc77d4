//! A kernel sees an `Array` as its view.

use tilewise::prelude::*;

#[amp]
fn first(a: &Array<f32>) -> f32 {
    1.0
}

fn main() {}
