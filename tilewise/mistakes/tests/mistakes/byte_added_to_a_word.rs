//! Operands of two widths, as in Rust an error.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let bytes = ArrayView::from_vec(4, vec![1_u8; 4])?;
    let out = ArrayView::from_vec(4, vec![0_u32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = bytes[i] + out[i];
    })
}
