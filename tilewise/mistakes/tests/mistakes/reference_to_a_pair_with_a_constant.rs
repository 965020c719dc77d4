//! A function gives a reference to a tuple with a constant in it.

use tilewise::prelude::*;

const THREE: i32 = 3;

#[amp]
fn pair() -> &'static (i32, Option<i32>) {
    &(THREE, Some(3))
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = pair().0;
    })
}
