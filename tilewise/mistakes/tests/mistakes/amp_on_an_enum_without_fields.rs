//! An enum without fields needs no `#[amp]`.

use tilewise::prelude::*;

#[amp]
#[derive(Clone, Copy, PartialEq, AmpStruct)]
enum Level {
    Low,
    High,
}

fn main() {}
