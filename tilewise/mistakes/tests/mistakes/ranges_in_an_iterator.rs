//! A loop in a loop, as one iterator.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = [1, 2, i[0]].iter().flat_map(|x| 0..*x).sum();
    })
}
