//! A method that changes its copy of `self` without `mut`.

use tilewise::{AmpStruct, amp};

#[derive(Clone, Copy, AmpStruct)]
struct Point {
    x: i32,
    y: i32,
}

#[amp]
impl Point {
    fn moved(self) -> i32 {
        self.x = 5;
        self.x + self.y
    }
}

fn main() {}
