//! An associated function without `#[amp]` is called.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

impl Point {
    fn diagonal(x: f32) -> Self {
        Point { x, y: x }
    }
}

fn main() -> tilewise::Result<()> {
    let points = ArrayView::from_vec(4, vec![Point { x: 1.0, y: 2.0 }; 4])?;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        points[i] = Point::diagonal(out[i]);
    })
}
