//! Not all methods of a number are there; the name is underlined behind a sum and an element too.

use tilewise::prelude::*;

#[amp]
fn digits(ends: &[i32; 2]) -> u32 {
    (ends[0] + 1).strict_neg() as u32
}

fn main() {}
