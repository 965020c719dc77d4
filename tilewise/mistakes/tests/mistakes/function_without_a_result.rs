//! A function says a result and gives none.

use tilewise::prelude::*;

#[amp]
fn twice(x: i32) -> i32 {
    let _doubled = x * 2;
}

fn main() {}
