//! Not all methods of a number are there; the name is underlined, in an `#[amp] impl` too.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Ends {
    low: i32,
    high: i32,
}

#[amp]
impl Ends {
    fn mirrored(self) -> i32 {
        self.low.strict_neg()
    }
}

fn main() {}
