//! A type parameter has the operators of its bounds.

use tilewise::prelude::*;

use tilewise::types::KernelType;

#[amp]
fn add<T: KernelType>(a: T, b: T) -> T {
    let sum = a + b;
    sum
}

fn main() {}
