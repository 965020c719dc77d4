//! A parameter that is a reference, made to refer to something else.

use tilewise::prelude::*;

#[amp]
fn larger(mut a: &i32, b: &i32) -> i32 {
    if *b > *a {
        a = b;
    }
    *a
}

fn main() {
    larger(&1, &2);
}
