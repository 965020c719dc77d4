//! `Scalar` is a number of 32 or 64 bits.

use tilewise::prelude::*;

#[amp]
fn between<T: Scalar>(low: T, high: T) -> T {
    low + (high - low) / (T::default() + high)
}

#[amp]
fn brightness(low: u8, high: u8) -> u8 {
    between(low, high)
}

fn main() {}
