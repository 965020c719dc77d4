//! A struct for kernels is copied.

use tilewise::prelude::*;

#[derive(AmpStruct)]
struct Sample {
    level: f32,
}

fn main() {}
