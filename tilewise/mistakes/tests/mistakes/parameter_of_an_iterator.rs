//! A function that takes an iterator.

use tilewise::prelude::*;

#[amp]
fn total(items: impl Iterator<Item = i32>) -> i32 {
    items.sum()
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = total(0..i[0]);
    })
}
