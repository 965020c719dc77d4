//! `#[amp]` stands on the `impl`: a function in it is known by its `Self`.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Square {
    side: f32,
}

impl Square {
    #[amp]
    fn unit() -> Self {
        Square { side: 1.0 }
    }
}

fn main() {}
