//! A reference in a struct for kernels.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Sample<'a> {
    level: &'a f32,
}

fn main() {}
