//! A cast to 128 bits.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let big = i[0] as i128;
        out[i] = 1.0;
    })
}
