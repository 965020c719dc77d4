//! A `usize` is 32 bits wide in kernels and 64 on the host.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Sample {
    count: usize,
}

fn main() {}
