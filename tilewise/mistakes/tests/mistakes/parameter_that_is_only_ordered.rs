//! A number is a `Scalar`.

use tilewise::prelude::*;

#[amp]
fn larger<T: PartialOrd + Copy>(a: T, b: T) -> bool {
    a > b
}

fn main() {}
