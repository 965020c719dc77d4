//! `#[amp]` stands on the `impl`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Square {
    side: f32,
}

impl Square {
    #[amp]
    fn area(self) -> f32 {
        self.side * self.side
    }
}

fn main() {}
