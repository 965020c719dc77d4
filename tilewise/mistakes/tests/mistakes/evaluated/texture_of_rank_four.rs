//! A texture has at most three dimensions.

use tilewise::graphics::Texture;

fn main() -> tilewise::Result<()> {
    Texture::<f32, 4>::new([2, 2, 2, 2]).map(drop)
}
