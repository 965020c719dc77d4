//! `Double3` is no texel.

use tilewise::graphics::{Bits64, Texture};
use tilewise::vector::Double3;

fn keep(_: &Texture<Double3, 1, Bits64>) {}

fn main() {}
