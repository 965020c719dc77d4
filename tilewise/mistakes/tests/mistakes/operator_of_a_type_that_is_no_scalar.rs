//! The bound is for the host only: kernels need `Scalar`.

use tilewise::prelude::*;

use std::ops::Add;
use tilewise::types::KernelType;

#[amp]
fn add<T: KernelType + Copy + Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

fn main() {}
