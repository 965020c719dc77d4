//! `#[amp]` is for functions.

use tilewise::prelude::*;

#[amp]
mod helpers {
    pub fn halved(x: f32) -> f32 {
        x / 2.0
    }
}

fn main() {}
