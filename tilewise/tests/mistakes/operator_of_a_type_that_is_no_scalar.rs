//! The bound is for the host only: kernels need `Scalar`.

use tilewise::prelude::*;

#[amp]
fn add<T: Copy + std::ops::Add<Output = T>>(a: T, b: T) -> T {
    a + b
}

fn main() {}
