//! A method of iterators in the head of a loop.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        for x in a.iter().filter(|x| **x > 1) {
            out[i] += *x;
        }
    })
}
