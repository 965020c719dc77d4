//! A name in capitals in a pattern is that of a variable.

use tilewise::prelude::*;

#[allow(non_snake_case)]
fn main() -> tilewise::Result<()> {
    let LIMIT = 3;
    let out = ArrayView::from_vec(4, vec![LIMIT; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = match i[0] {
            LIMIT => 1,
            _ => 0,
        };
    })
}
