//! `#[amp]` is for functions; a struct derives `AmpStruct`.

use tilewise::prelude::*;

#[amp]
struct Point {
    x: f32,
}

fn main() {}
