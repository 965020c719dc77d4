//! A tuple struct has its fields.

use tilewise::prelude::*;

#[derive(Clone, Copy, AmpStruct)]
struct Pair(f32, f32);

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let pair = Pair(1.0, 2.0, 3.0);
        out[i] = pair.0;
    })
}
