//! Two references in an array are swapped.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let (a, b) = ([1, 2], [3, i[0]]);
        let mut rows = [&a, &b];
        rows.swap(0, 1);
        out[i] = rows[0][1];
    })
}
