//! A `Result` whose value is of a type without values.
use std::convert::Infallible;

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let view = ArrayView::from_vec(8, vec![0; 8])?;
    let failed: Result<Infallible, i32> = Err(4);
    parallel_for_each!(view.extent(), |i| {
        view[i] = failed.err().unwrap_or(0);
    })
}
