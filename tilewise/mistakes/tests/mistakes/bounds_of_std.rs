//! Traits of the standard library do not say that a kernel has a type.

use tilewise::prelude::*;

#[amp]
fn largest<T: PartialOrd + Copy>(a: T, b: T) -> T {
    if a > b { a } else { b }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = largest(i[0], 2);
    })
}
