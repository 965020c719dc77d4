//! A constant inside of a block of the kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if i[0] > 1 {
            const K: i32 = 3;
            out[i] = K;
        }
    })
}
