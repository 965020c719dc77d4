//! A trait with `#[amp]` gives a number a method that it has already, which kernels lack: Rust takes the number's own.

use tilewise::prelude::*;

#[amp]
trait Middle {
    fn midpoint(self, other: Self) -> Self;
}

#[amp]
impl Middle for i32 {
    fn midpoint(self, other: i32) -> i32 {
        (self + other + 1) / 2
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = i[0].midpoint(7);
    })
}
