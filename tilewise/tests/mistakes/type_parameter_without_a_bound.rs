//! A type parameter that could be any type.

use tilewise::prelude::*;

#[amp]
fn negated<T: std::ops::Neg<Output = f32>>(x: T) -> f32 {
    -x
}

fn main() {}
