//! A field whose struct is not for kernels.

use tilewise::prelude::*;

#[derive(Clone, Copy)]
struct Inner {
    x: f32,
}

#[derive(Clone, Copy, AmpStruct)]
struct Sample {
    inner: Inner,
}

fn main() {}
