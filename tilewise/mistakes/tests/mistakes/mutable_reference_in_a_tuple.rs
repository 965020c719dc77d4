//! A `&mut` parameter in a tuple.

use tilewise::prelude::*;

#[amp]
fn change(level: &mut i32) -> i32 {
    let pair = (level, 1);
    pair.1
}

fn main() {}
