//! A type parameter that could be any type.

use tilewise::prelude::*;

#[amp]
fn same<T>(x: T, y: f32) -> f32 {
    y
}

fn main() {}
