//! A function gives another type than it says.

use tilewise::prelude::*;

#[amp]
fn twice(x: i32) -> f32 {
    x * 2
}

fn main() {}
