//! A macro of one's own in a kernel.

use tilewise::prelude::*;

macro_rules! two {
    () => {
        2.0
    };
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = two!();
    })
}
