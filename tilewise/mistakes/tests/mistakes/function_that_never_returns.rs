//! A kernel has no function without a result.

use tilewise::prelude::*;

#[amp]
fn fail(n: i32) -> ! {
    error!("{} is too large", n)
}

fn main() {}
