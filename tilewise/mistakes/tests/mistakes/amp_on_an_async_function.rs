//! A kernel does not wait.

use tilewise::prelude::*;

#[amp]
async fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() {}
