//! The arms of an `if` have two types.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = if i[0] > 2 { 1.0 } else { i[0] };
    })
}
