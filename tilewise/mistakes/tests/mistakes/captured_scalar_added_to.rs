//! What a kernel captures is a copy: a sum needs an atomic.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let count = 0;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        count += 1;
        out[i] = 1.0;
    })
}
