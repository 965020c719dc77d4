//! A number with a point goes into an array of integers.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [1; 4];
        a[2] = 2.5;
        out[i] = a[1];
    })
}
