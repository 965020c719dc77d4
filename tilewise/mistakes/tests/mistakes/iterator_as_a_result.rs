//! A function gives an iterator.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Board {
    bits: u32,
}

#[amp]
impl Board {
    fn squares(self) -> impl Iterator<Item = u32> {
        (0..32_u32).filter(move |square| self.bits >> square & 1 == 1)
    }
}

fn main() {}
