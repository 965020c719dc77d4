//! The host reads a texel by brackets.

use tilewise::graphics::Texture;

fn main() -> tilewise::Result<()> {
    let texture = Texture::<f32, 1>::new(4)?;
    assert_eq!(texture[2], 0.0);
    Ok(())
}
