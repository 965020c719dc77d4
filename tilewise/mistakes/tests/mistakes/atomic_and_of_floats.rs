//! Floats have no bits that are combined.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out.atomic(0).fetch_and(1.0);
    })
}
