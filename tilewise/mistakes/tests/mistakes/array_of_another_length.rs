//! An array has another length than its type says.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let a = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(a.extent(), |i| {
        let weights: [i32; 3] = [1, 2];
        a[i] = weights[0];
    })?;
    Ok(())
}
