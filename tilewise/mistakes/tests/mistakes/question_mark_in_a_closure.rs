//! `?` in a closure.

use tilewise::prelude::*;

#[amp]
fn half(n: i32) -> Option<i32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

#[amp]
fn quarter(n: i32) -> Option<i32> {
    let f = |n| Some(half(n)?);
    f(n)
}

fn main() {}
