//! Methods that change a `self` that is not theirs to change.

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
        self.x
    }

    fn raised(&self) -> i32 {
        self.y += 1;
        self.y
    }
}

fn main() {}
