//! A name in a pattern is that of a constant in lower case.

use tilewise::prelude::*;

#[allow(non_upper_case_globals)]
const limit: i32 = 3;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = match i[0] {
            0 => 0,
            limit => 1,
        };
    })
}
