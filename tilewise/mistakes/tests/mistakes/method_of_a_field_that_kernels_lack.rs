//! Not all methods of a number are there; the field it is called on is underlined, in an `#[amp] impl` too.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Ends {
    low: i32,
    high: i32,
}

#[amp]
impl Ends {
    fn middle(self) -> i32 {
        self.low.midpoint(self.high)
    }
}

fn main() {}
