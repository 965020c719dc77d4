//! A `&mut` that is neither an argument nor gets a name.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut x = 1;
        let _both = [&mut x];
        out[i] = 1;
    })
}
