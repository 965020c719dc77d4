//! A kernel does not panic.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let next = i[0].checked_add(1).unwrap();
        out[i] = next as f32;
    })
}
