//! `unwrap` panics, and a kernel does not.

use tilewise::prelude::*;

#[amp]
fn halved(n: i32) -> Result<i32, u32> {
    if n % 2 == 0 { Ok(n / 2) } else { Err(1) }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = halved(i[0]).unwrap();
    })
}
