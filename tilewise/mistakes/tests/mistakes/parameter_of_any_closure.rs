//! A parameter that is a closure, without a name for its type.

use tilewise::prelude::*;

#[amp]
fn twice(f: impl Fn(i32) -> i32, x: i32) -> i32 {
    f(f(x))
}

fn main() {}
