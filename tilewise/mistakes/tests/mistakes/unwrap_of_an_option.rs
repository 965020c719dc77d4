//! `unwrap`, which panics.

use tilewise::prelude::*;

#[amp]
fn half(n: i32) -> Option<i32> {
    if n % 2 == 0 { Some(n / 2) } else { None }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let h = half(i[0]);
        out[i] = h.unwrap();
    })
}
