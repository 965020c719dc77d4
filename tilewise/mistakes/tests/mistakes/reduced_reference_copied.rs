//! The items are copied before they are joined, and not after.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        out[i] = a.iter().reduce(|a, b| if a > b { a } else { b }).copied().unwrap_or(0);
    })
}
