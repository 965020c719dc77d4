//! `Double3` is no texel.

use tilewise::graphics::{Bits64, Texture};
use tilewise::vector::Double3;

fn size(texture: &Texture<Double3, 1, Bits64>) -> i32 {
    texture.extent()[0]
}

fn main() {}
