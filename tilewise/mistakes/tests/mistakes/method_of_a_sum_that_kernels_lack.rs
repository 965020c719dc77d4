//! Not all methods of a number are there; the name is underlined behind a sum and an element too.

use tilewise::prelude::*;

#[amp]
fn middle(ends: &[i32; 2]) -> i32 {
    (ends[0] + 1).midpoint(ends[1])
}

fn main() {}
