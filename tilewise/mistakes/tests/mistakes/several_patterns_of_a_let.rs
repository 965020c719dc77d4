//! Which of several patterns fits is found by a `match`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let ((Some(k), _) | (None, k)) = (if i[0] > 1 { Some(i[0]) } else { None }, 9);
        out[i] = k;
    })
}
