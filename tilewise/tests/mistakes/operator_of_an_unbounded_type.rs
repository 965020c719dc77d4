//! A type parameter without a bound has no operators.

use tilewise::prelude::*;

#[amp]
fn add<T>(a: T, b: T) -> T {
    a + b
}

fn main() {}
