//! A method without `#[amp]` is called.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

impl Point {
    fn length(self) -> f32 {
        (self.x * self.x + self.y * self.y).sqrt()
    }
}

fn main() -> tilewise::Result<()> {
    let points = ArrayView::from_vec(4, vec![Point { x: 1.0, y: 2.0 }; 4])?;
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = points[i].length();
    })
}
