//! An enum for kernels is 32 bits wide.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(u8)]
enum Kind {
    Near,
    Far,
}

fn main() {}
