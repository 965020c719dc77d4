//! A search that finds a reference.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        if a.iter().find(|x| **x == i[0]).is_some() {
            out[i] = 1;
        }
    })
}
