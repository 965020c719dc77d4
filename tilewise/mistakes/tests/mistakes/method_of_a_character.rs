//! Kernels have no methods of characters.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let c = 'x';
        if c.is_alphabetic() {
            out[i] = 1.0;
        }
    })
}
