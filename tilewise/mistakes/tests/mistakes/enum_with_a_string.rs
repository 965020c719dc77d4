//! A field of a variant that kernels do not have.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
enum Name {
    None,
    Text(&'static str),
}

fn main() {}
