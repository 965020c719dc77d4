//! Not all methods of a number are there; the name is underlined, in an `#[amp] impl` too.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Ends {
    low: i32,
    high: i32,
}

#[amp]
impl Ends {
    fn digits(self) -> u32 {
        self.low.ilog10()
    }
}

fn main() {}
