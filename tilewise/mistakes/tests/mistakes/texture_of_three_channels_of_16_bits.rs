//! Three channels have 32 bits each.

use tilewise::graphics::{Bits16, Texture};
use tilewise::vector::UInt3;

fn keep(_: &Texture<UInt3, 2, Bits16>) {}

fn main() {}
