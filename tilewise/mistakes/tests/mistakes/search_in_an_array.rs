//! A search in an array by a method.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        if a.iter().any(|x| *x == i[0]) {
            out[i] = 1;
        }
    })
}
