//! A `&str` is captured.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let name = "four";
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let copy = name;
        out[i] = 1.0;
    })
}
