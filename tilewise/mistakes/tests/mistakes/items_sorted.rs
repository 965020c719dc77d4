//! An array is sorted, and not an iterator over it.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [3, 1, i[0]];
        a.iter().sort();
        out[i] = a[0];
    })
}
