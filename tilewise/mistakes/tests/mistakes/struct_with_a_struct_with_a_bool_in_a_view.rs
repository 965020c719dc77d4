//! A struct with a `bool` inside another is no element of a view either.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Flag {
    on: bool,
    count: u32,
}

#[derive(Clone, Copy, AmpStruct)]
struct Outer {
    flag: Flag,
}

fn main() -> tilewise::Result<()> {
    let _flags = Array::<Outer>::new(4)?;
    Ok(())
}
