//! An `impl` is `#[amp]`, and its trait is not.

use tilewise::prelude::*;

trait Heavy {}

#[derive(Clone, Copy, AmpStruct)]
struct Stone {
    size: i32,
}

#[amp]
impl Heavy for Stone {}

fn main() {}
