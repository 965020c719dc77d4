//! Arrays are compared, and not their iterators.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let (a, b) = ([1, 2, i[0]], [1, 2, 3]);
        out[i] = i32::from(a.iter().eq(b.iter()));
    })
}
