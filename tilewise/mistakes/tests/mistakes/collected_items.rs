//! A kernel has no heap, so nothing is collected.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        let doubled: Vec<i32> = a.iter().map(|x| x * 2).collect();
        out[i] = doubled[0];
    })
}
