//! A `String` in a struct for kernels.

use tilewise::prelude::*;

#[derive(Clone, AmpStruct)]
struct Sample {
    level: f32,
    name: String,
}

fn main() {}
