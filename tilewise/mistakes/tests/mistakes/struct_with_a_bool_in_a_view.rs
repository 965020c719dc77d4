//! A struct with a `bool` is a value, and no element of a view.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Flag {
    on: bool,
    count: u32,
}

fn main() -> tilewise::Result<()> {
    let _flags = ArrayView::from_vec(1, vec![Flag { on: true, count: 1 }])?;
    Ok(())
}
