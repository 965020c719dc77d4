//! `#[cfg(..)]` on a parameter: what calls the function cannot know.

use tilewise::prelude::*;

#[amp]
fn scaled(x: i32, #[cfg(debug_assertions)] factor: i32) -> i32 {
    x
}

fn main() {}
