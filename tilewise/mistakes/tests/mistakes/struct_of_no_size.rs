//! A struct without fields has no elements to store.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Nothing;

fn main() {}
