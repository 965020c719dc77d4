//! The windows of an array, and what is done with them.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        if a.windows(2).all(|pair| pair[0] < pair[1]) {
            out[i] = 1;
        }
    })
}
