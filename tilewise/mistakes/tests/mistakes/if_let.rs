//! There are no enums with fields to take apart.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if let 1 = i[0] {
            out[i] = 1.0;
        }
    })
}
