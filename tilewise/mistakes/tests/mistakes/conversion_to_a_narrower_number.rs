//! A conversion that may lose numbers.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x = u8::from(i[0]);
        out[i] = x as i32;
    })
}
