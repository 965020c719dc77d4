//! `#[amp]` on an `impl` of a trait of the program's own that is called `Add`, of a type that can be added.

use tilewise::prelude::*;

mod algebra {
    pub trait Add {
        fn add(self, other: Self) -> Self;
    }
}

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

#[amp]
impl algebra::Add for Point {
    fn add(self, other: Point) -> Point {
        Point { x: self.x * other.x, y: self.y * other.y }
    }
}

fn main() {}
