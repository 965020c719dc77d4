//! `first` gives a reference, which no `Option` of a kernel holds.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        let first = a.first();
        out[i] = 1;
    })
}
