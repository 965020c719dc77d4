//! A literal that its type cannot hold.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let big: i32 = 3000000000;
        out[i] = big as f32;
    })
}
