//! A texture of rank 1 has no rows.

use tilewise::graphics::Texture;

fn main() -> tilewise::Result<()> {
    let texture = Texture::<f32, 1>::new(4)?;
    texture.row_pitch().map(drop)
}
