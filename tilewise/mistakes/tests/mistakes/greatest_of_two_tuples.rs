//! `cmp::max` of tuples.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let (_, y) = std::cmp::max((i[0], 1), (2, 3));
        out[i] = y;
    })
}
