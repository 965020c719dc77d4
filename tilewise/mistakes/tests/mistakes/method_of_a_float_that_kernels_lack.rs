//! A method of floats that only the host has.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![1.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let _kind = out[i].classify();
    })
}
