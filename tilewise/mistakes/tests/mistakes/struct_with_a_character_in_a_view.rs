//! A struct with a `char` is a value, and no element of a view.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Flag {
    on: char,
    count: u32,
}

fn main() -> tilewise::Result<()> {
    let _flags = ArrayView::from_vec(1, vec![Flag { on: 'a', count: 1 }])?;
    Ok(())
}
