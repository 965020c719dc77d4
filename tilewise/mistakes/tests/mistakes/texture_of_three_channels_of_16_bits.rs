//! Three channels have 32 bits each.

use tilewise::graphics::{Bits16, Texture};
use tilewise::vector::UInt3;

fn size(texture: &Texture<UInt3, 2, Bits16>) -> i32 {
    texture.extent()[0]
}

fn main() {}
