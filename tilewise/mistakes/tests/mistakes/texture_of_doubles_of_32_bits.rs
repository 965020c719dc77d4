//! A texture of `f64` has channels of 64 bits only.

use tilewise::graphics::{Bits32, Texture};

fn keep(_: &Texture<f64, 1, Bits32>) {}

fn main() {}
