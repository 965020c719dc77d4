//! The type argument of a function without `#[amp]` is no mistake.

use tilewise::prelude::*;

fn twice<T: Scalar + std::ops::Add<Output = T>>(x: T) -> T {
    x + x
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = twice::<i32>(i[0]);
    })
}
