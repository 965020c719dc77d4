//! A method of iterators that kernels do not have, in the head of a loop.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [[1, 2], [3, 4]];
        for x in a.iter().fuse() {
            out[i] += x[0];
        }
    })
}
