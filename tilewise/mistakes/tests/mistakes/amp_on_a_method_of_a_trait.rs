//! `#[amp]` stands on the trait.

use tilewise::prelude::*;

trait Shape {
    #[amp]
    fn area(&self) -> f32;
}

fn main() {}
