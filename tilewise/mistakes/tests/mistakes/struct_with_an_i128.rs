//! Kernels have integers of up to 64 bits.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Wide {
    number: i128,
}

fn main() {}
