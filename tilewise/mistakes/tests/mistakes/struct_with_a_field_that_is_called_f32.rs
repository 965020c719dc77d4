//! What a field is depends on the type that its name stands for, not on the name.

use tilewise::prelude::*;

#[allow(non_camel_case_types)]
#[derive(Clone, Copy)]
struct f32(bool);

#[derive(Clone, Copy, AmpStruct)]
#[repr(C)]
struct Sample {
    level: f32,
}

fn main() {}
