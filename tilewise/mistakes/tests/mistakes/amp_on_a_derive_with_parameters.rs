//! The comparison of a type with parameters needs bounds.

use tilewise::prelude::*;

#[amp]
#[derive(Clone, Copy, PartialEq, AmpStruct)]
#[repr(C)]
struct Pair<T> {
    a: T,
    b: T,
}

fn main() {}
