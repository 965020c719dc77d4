//! Macros are declared outside of a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        macro_rules! square {
            ($x:expr) => {
                $x * $x
            };
        }
        out[i] = 1.0;
    })
}
