//! The index of a kernel is taken apart as a tuple.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec((4, 4), vec![0_i32; 16])?;
    parallel_for_each!(out.extent(), |(y, x)| {
        out[(y, x)] = y * x;
    })
}
