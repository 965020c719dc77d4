//! A method of a trait without `#[amp]` is called.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

trait Shape {
    fn area(self) -> f32;
}

impl Shape for Point {
    fn area(self) -> f32 {
        self.x * self.y
    }
}

fn main() -> tilewise::Result<()> {
    let points = ArrayView::from_vec(4, vec![Point { x: 1.0, y: 2.0 }; 4])?;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = points[i].area();
    })
}
