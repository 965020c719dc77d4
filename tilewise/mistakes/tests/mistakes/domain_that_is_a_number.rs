//! A domain is an extent.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(4, |i| {
        out[i] = 1;
    })?;
    Ok(())
}
