//! `debug_assert!` in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        debug_assert!(i[0] < 4);
        out[i] = 1.0;
    })
}
