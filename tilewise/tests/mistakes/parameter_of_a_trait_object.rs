//! A parameter `&dyn Trait`.

use tilewise::prelude::*;

#[amp]
fn half(x: &dyn Fn(f32) -> f32) -> f32 {
    1.0
}

fn main() {}
