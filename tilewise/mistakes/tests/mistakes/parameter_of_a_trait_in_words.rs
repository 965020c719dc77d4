//! A parameter `impl Trait`.

use tilewise::prelude::*;

#[amp]
fn halved(x: impl Into<f32>) -> f32 {
    1.0
}

fn main() {}
