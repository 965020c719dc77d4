//! A parameter `&dyn Trait`.

use tilewise::prelude::*;

#[amp]
fn halved(x: &dyn Fn(f32) -> f32) -> f32 {
    1.0
}

fn main() {}
