//! A constant slice.

use tilewise::prelude::*;

const TABLE: &[i32] = &[1, 2, 3];

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = TABLE[i[0] as usize % 3];
    })
}
