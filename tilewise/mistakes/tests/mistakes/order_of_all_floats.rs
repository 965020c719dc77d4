//! Kernels have no `total_cmp`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let _order = out[i].total_cmp(&1.0);
    })
}
