//! A variant of an enum without `AmpStruct`.

use tilewise::prelude::*;

enum Side {
    Left,
    Right,
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = match Side::Left {
            Side::Left => 1,
            Side::Right => 2,
        };
    })
}
