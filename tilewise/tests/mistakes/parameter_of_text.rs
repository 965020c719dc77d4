//! A parameter `&str`.

use tilewise::prelude::*;

#[amp]
fn half(name: &str) -> f32 {
    1.0
}

fn main() {}
