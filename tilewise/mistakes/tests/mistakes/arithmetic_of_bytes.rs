//! Kernels compute with 32 and 64 bits.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = 1_u8;
        let b = a + a;
        out[i] = 1.0;
    })
}
