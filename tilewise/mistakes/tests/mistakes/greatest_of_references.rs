//! An `Option` holds no reference: the items are copied first.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        out[i] = a.iter().max().unwrap_or(&0) + 1;
    })
}
