//! A loop over an `Option`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        for x in Some(i[0]) {
            out[i] = x;
        }
    })
}
