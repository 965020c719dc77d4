//! Floats have no order of all values, as in Rust.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [3.0, 1.0, i[0] as f32];
        a.sort();
        out[i] = a[0];
    })
}
