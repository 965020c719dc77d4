//! A struct with a `char` is a value, and no element of a view.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Flag {
    on: char,
    count: u32,
}

fn main() -> tilewise::Result<()> {
    let flags = ArrayView::from_vec(1, vec![Flag { on: 'a', count: 1 }])?;
    parallel_for_each!(flags.extent(), |i| flags[i].count = 2)
}
