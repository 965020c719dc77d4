//! An operator of an own type, without `#[amp]`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

impl std::ops::Add for Point {
    type Output = Point;
    fn add(self, other: Point) -> Point {
        Point { x: self.x + other.x, y: self.y + other.y }
    }
}

fn main() -> tilewise::Result<()> {
    let points = ArrayView::from_vec(4, vec![Point { x: 1.0, y: 2.0 }; 4])?;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        points[i] = points[i] + points[i];
        out[i] = 1.0;
    })
}
