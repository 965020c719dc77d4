//! A function of the standard library under a name of the program.

use std::cmp::max as greatest;
use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = greatest(i[0], 3);
    })
}
