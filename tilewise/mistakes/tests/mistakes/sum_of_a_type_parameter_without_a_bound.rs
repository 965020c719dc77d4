//! Two values of a type that could be any one are added.

use tilewise::prelude::*;

#[amp]
fn sum<T>(a: T, b: T) -> T {
    a + b
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = sum(i[0], 2);
    })
}
