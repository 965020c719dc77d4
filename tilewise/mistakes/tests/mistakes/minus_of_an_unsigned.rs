//! `-` before an unsigned number.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let n = 1_u32;
        let m = -n;
        out[i] = m as f32;
    })
}
