//! The function of `try_fold` gives an `Option` or a `Result`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        out[i] = a.iter().try_fold(0, |sum, x| sum + x);
    })
}
