//! A `match` that leaves numbers out.

use tilewise::prelude::*;

#[amp]
fn weight(n: i32) -> f32 {
    match n {
        0 => 1.0,
        1 => 2.0,
    }
}

fn main() {}
