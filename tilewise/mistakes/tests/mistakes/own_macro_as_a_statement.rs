//! Macros of the program are not expanded in a kernel.

use tilewise::prelude::*;

macro_rules! clear {
    ($x:expr) => {
        $x = 0.0
    };
}

fn main() -> tilewise::Result<()> {
    let mut _one = 1.0;
    clear!(_one);
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        clear!(out[i]);
    })
}
