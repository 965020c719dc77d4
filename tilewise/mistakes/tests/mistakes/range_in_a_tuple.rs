//! A range that is neither named nor gone over.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let _pair = (0..4, 1);
        out[i] = 1;
    })
}
