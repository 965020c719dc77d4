//! A struct with bytes that belong to no field.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Sample {
    level: f64,
    count: u32,
}

fn main() {}
