//! Macros of the program are not expanded in a kernel.

use tilewise::prelude::*;

macro_rules! small {
    () => {
        0..=3
    };
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if let small!() = i[0] {
            out[i] = 1.0;
        }
    })
}
