//! A `bool` in memory could hold what is neither true nor false.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Sample {
    level: f32,
    on: bool,
}

fn main() {}
