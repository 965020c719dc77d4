//! Iterators stand behind `for .. in`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        out[i] = a.iter().sum();
    })
}
