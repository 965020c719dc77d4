//! Floats are not compared by their bits.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out.atomic(0).compare_exchange(1.0, 2.0);
    })
}
