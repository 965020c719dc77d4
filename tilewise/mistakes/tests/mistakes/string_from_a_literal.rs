//! There is no heap in a kernel: a string of a text.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x = String::from("four");
        out[i] = 1.0;
    })
}
