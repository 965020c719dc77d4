//! A struct is no number.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

fn main() -> tilewise::Result<()> {
    let points = ArrayView::from_vec(4, vec![Point { x: 1.0, y: 2.0 }; 4])?;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = points[i] as f32;
    })
}
