//! A part of an array gets no name.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0], 4];
        let (low, high) = a.split_at(2);
        out[i] = low[0] + high[1];
    })
}
