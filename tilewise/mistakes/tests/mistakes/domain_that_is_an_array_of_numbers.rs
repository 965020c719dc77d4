//! A domain is an extent, not an array.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!([100 << 10], |i| {
        out[i] = 1;
    })
}
