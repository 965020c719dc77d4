//! An enum for kernels has no fields.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(u32)]
enum Shape {
    Point,
    Disc(f32),
}

fn main() {}
