//! A `char` in a struct for kernels.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Sample {
    letter: char,
}

fn main() {}
