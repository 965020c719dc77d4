//! `#[amp]` on an `impl` of a trait of the program's own that is called `Neg` and asks for the operator.

use tilewise::prelude::*;

mod algebra {
    pub trait Neg: std::ops::Neg {
        fn neg(self) -> Self;
    }
}

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: f32,
    y: f32,
}

impl std::ops::Neg for Point {
    type Output = Point;
    fn neg(self) -> Point {
        Point { x: -self.x, y: -self.y }
    }
}

#[amp]
impl algebra::Neg for Point {
    fn neg(self) -> Point {
        Point { x: -self.x, y: self.y }
    }
}

fn main() {}
