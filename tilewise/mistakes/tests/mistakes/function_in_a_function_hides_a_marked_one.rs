//! A function without `#[amp]` hides one of its name outside.

use tilewise::prelude::*;

#[amp]
fn first<T: Scalar, const N: usize>(all: [T; N]) -> T {
    all[0]
}

fn main() -> tilewise::Result<()> {
    fn first<T: Scalar, const N: usize>(all: [T; N]) -> T {
        all[N - 1]
    }
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = first([i[0], 2]);
    })
}
