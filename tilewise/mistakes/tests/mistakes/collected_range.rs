//! A kernel has no heap, so it collects nothing.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let squares: Vec<i32> = (0..i[0]).map(|k| k * k).collect();
        out[i] = 1;
    })
}
