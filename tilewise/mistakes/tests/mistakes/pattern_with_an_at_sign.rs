//! `name @ pattern` in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = match i[0] {
            n @ 1..=3 => n as f32,
            _ => 0.0,
        };
    })
}
