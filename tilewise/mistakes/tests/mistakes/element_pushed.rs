//! An array has a fixed size.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [3, 1, 2];
        a.push(i[0]);
        out[i] = a[0];
    })
}
