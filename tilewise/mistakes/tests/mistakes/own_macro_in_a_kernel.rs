//! Macros of the program are not expanded in a kernel.

use tilewise::prelude::*;

macro_rules! square {
    ($x:expr) => {
        $x * $x
    };
}

fn main() -> tilewise::Result<()> {
    let _one = square!(1.0);
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = square!(out[i]);
    })
}
