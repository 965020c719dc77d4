//! A view of an enum: not every number is a variant.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
#[repr(u32)]
enum Kind {
    Near,
    Far,
}

fn main() -> tilewise::Result<()> {
    let _view = ArrayView::from_vec(4, vec![Kind::Near; 4])?;
    Ok(())
}
