//! An enum for kernels says how wide it is.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
enum Kind {
    Near,
    Far,
}

fn main() {}
