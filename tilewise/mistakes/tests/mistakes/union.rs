//! A union is not for kernels.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
union Bits {
    float: f32,
    bits: u32,
}

fn main() {}
