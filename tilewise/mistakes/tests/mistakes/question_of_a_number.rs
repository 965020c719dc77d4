//! `?` stands behind an `Option` or a `Result`.

use tilewise::prelude::*;

#[amp]
fn doubled(n: i32) -> Option<i32> {
    let m = (n * 2)?;
    Some(m)
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = doubled(i[0]).unwrap_or(0);
    })
}
