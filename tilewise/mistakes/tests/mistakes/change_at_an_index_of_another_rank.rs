//! `+=` of an element of a view with one dimension, at two numbers.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[(i[0], 0)] += 1;
    })
}
