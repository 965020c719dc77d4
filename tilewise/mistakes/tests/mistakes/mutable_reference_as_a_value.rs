//! A parameter that is a `&mut` reference, bound to another name.

use tilewise::prelude::*;

#[amp]
fn raise(level: &mut [i32; 4], k: i32) {
    let copy = level;
    copy[k] = 9;
}

fn main() {
    raise(&mut [1, 2, 3, 4], 2);
}
