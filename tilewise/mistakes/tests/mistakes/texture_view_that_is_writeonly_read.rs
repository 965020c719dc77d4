//! A kernel reads a texel of a write-only view.

use tilewise::graphics::Texture;
use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let texture = Texture::<f32, 1>::new(4)?;
    let view = texture.writeonly_view()?;
    parallel_for_each!(texture.extent(), |i| view.set(i, view.get(i) + 1.0))
}
