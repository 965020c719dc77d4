//! A kernel has no heap.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Named {
    count: u32,
    name: Name,
}

#[derive(Clone, Copy)]
struct Name;

fn main() {}
