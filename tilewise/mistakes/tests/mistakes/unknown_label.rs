//! `continue` of a loop that is not there.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        for j in 0..4 {
            continue 'rows;
        }
        out[i] = 1.0;
    })
}
