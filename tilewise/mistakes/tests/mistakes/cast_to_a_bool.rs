//! A number is made a truth value by a comparison.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let odd = i[0] as bool;
        out[i] = 1.0;
    })
}
