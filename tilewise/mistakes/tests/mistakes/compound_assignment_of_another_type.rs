//! An integer is multiplied by a float.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut sum = 0_i32;
        sum *= out[i];
        out[i] = sum as f32;
    })
}
