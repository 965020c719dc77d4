//! `#[amp(..)]` knows `device_only`.

use tilewise::prelude::*;

#[amp(fast)]
fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() {}
