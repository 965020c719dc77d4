//! Parts of an array by a function, and what is done with them.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        if a.split(|x| *x == 2).all(|part| part[0] < 2) {
            out[i] = 1;
        }
    })
}
