//! A texture of floats has no channels of 8 bits.

use tilewise::graphics::{Bits8, Texture};
use tilewise::vector::Float4;

fn keep(_: &Texture<Float4, 2, Bits8>) {}

fn main() {}
