//! The greater one of two `Option`s.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = Some(i[0]).max(None).unwrap_or(0);
    })
}
