//! The channels of source and target of a copy have other widths.

use tilewise::graphics::{Bits8, Bits16, Texture, copy};

fn main() -> tilewise::Result<()> {
    let from = Texture::<u32, 1, Bits8>::new(4)?;
    let to = Texture::<u32, 1, Bits16>::new(4)?;
    copy(&from, &to)
}
