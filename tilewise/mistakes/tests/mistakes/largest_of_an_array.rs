//! `max` is a method of an iterator, `a.iter().max()`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [3, 1, i[0]];
        out[i] = a.max();
    })
}
