//! The target of a copy is a view that cannot be written.

use tilewise::graphics::{Texture, copy};

fn main() -> tilewise::Result<()> {
    let texture = Texture::<f32, 1>::new(4)?;
    copy(&[1.0f32; 4], &texture.read_view())
}
