//! In a kernel an enum is a number of 32 bits: two variants could become one.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
enum Flag {
    None = 0,
    Far = 1 << 40,
}

fn main() {}
