//! A parameter `&str`.

use tilewise::prelude::*;

#[amp]
fn halved(name: &str) -> f32 {
    1.0
}

fn main() {}
