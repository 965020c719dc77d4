//! A part of a kernel is compiled under a condition.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x = 1;
        #[cfg(any())]
        let x = 2i32;
        out[i] = x;
    })
}
