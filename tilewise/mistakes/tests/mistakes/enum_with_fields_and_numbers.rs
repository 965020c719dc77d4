//! A variant with fields in an enum whose variants have numbers.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(u32)]
enum Shape {
    Dot = 3,
    Disc(i32),
}

fn main() {}
