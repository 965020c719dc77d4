//! A function that takes an iterator, without the type of an item.

use tilewise::prelude::*;

#[amp]
fn total(items: impl Iterator) -> i32 {
    items.count() as i32
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = total(0..i[0]);
    })
}
