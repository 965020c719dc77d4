//! `assert_eq!` compares two values.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        assert_eq!(i[0]);
        out[i] = 1.0;
    })
}
