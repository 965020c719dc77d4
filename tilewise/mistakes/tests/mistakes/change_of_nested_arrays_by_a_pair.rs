//! Arrays in arrays are indexed one after the other.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [[1, 2, 3], [4, 5, 6]];
        a[(i[0], 0)] += 1;
        out[i] = a[0][1];
    })
}
