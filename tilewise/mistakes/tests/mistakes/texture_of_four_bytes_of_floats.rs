//! A texture of floats has no channels of 8 bits.

use tilewise::graphics::{Bits8, Texture};
use tilewise::vector::Float4;

fn size(texture: &Texture<Float4, 2, Bits8>) -> i32 {
    texture.extent()[0]
}

fn main() {}
