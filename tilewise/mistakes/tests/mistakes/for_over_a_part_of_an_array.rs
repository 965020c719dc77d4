//! A loop over a part of an array.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3, 4];
        for x in &a[1..3] {
            out[i] += *x;
        }
    })
}
