//! A closure has the name of an `#[amp]` function.

use tilewise::prelude::*;

#[amp]
fn scaled(x: i32) -> i32 {
    x * 2
}

fn main() -> tilewise::Result<()> {
    let scaled = |x: i32| x * 3;
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = scaled(i[0]);
    })?;
    assert_eq!(out.to_vec()?[1], scaled(1));
    Ok(())
}
