//! Source and target of a copy have other ranks.

use tilewise::graphics::{Texture, copy};

fn main() -> tilewise::Result<()> {
    let from = Texture::<f32, 1>::new(4)?;
    let to = Texture::<f32, 2>::new((2, 2))?;
    copy(&from, &to)
}
