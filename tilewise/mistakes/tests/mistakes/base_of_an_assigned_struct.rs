//! A struct that is assigned to names a base for its other fields.

use tilewise::{AmpStruct, amp};

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: i32,
    y: i32,
}

#[amp]
fn sum(p: Point) -> i32 {
    let mut x = 0;
    Point { x, ..p } = p;
    x
}

fn main() {}
