//! Which of several patterns fits is found by a `match`, also before an `else`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let ((Some(k), 1) | (None, k)) = (Some(i[0]), 1) else { return };
        out[i] = k;
    })
}
