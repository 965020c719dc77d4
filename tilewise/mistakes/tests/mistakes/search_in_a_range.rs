//! A search in a range by a method.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = (0..5).find(|k| k * k > i[0]).unwrap_or(5);
    })
}
