//! A field of an element of a view that only reads is written.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

fn main() -> tilewise::Result<()> {
    let data = [Point { x: 1.0, y: 2.0 }; 4];
    let points = ArrayView::read_only(4, &data)?;
    parallel_for_each!(points.extent(), |i| {
        points[i].x = 1.0;
    })
}
