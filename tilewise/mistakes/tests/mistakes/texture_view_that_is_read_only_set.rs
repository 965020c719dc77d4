//! A kernel sets a texel of a read-only view.

use tilewise::graphics::Texture;
use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let texture = Texture::<f32, 1>::new(4)?;
    let view = texture.read_view();
    parallel_for_each!(texture.extent(), |i| view.set(i, 1.0))
}
