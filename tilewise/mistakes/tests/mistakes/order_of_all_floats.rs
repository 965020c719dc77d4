//! Kernels have no `total_cmp`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if out[i].total_cmp(&1.0).is_lt() {
            out[i] = 1.0;
        }
    })
}
