//! A trait with `#[amp]` gives a number a method that it has already, which kernels lack: Rust takes the number's own.

use tilewise::prelude::*;

#[amp]
trait Digits {
    fn ilog10(self) -> i32;
}

#[amp]
impl Digits for i32 {
    fn ilog10(self) -> i32 {
        if self < 10 { 0 } else { 1 }
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = i[0].ilog10();
    })
}
