//! A slice of floats is copied to a texture of integers.

use tilewise::graphics::{Texture, copy};

fn main() -> tilewise::Result<()> {
    let texture = Texture::<i32, 1>::new(4)?;
    copy(&[1.0f32; 4], &texture)
}
