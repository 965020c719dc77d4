//! A texture of `f64` has channels of 64 bits only.

use tilewise::graphics::{Bits32, Texture};

fn size(texture: &Texture<f64, 1, Bits32>) -> i32 {
    texture.extent()[0]
}

fn main() {}
