//! A variant with fields is missing.

#[derive(Clone, Copy, AmpStruct)]
enum Shape {
    Dot,
    Disc(i32),
}

#[amp]
fn area(shape: Shape) -> i32 {
    match shape {
        Shape::Disc(r) => 3 * r * r,
    }
}

use tilewise::prelude::*;

fn main() {}
