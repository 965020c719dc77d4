//! A method that changes `self` through a shared reference.

use tilewise::{AmpStruct, amp};

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: i32,
    y: i32,
}

#[amp]
impl Point {
    fn raised(&self) -> i32 {
        self.y += 1;
        self.x + self.y
    }
}

fn main() {}
