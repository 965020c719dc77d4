//! A parameter that is a range, without the path that tells.

use std::ops::Range;

use tilewise::prelude::*;

#[amp]
fn sum_of(of: Range<i32>) -> i32 {
    let mut sum = 0;
    for k in of {
        sum += k;
    }
    sum
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = sum_of(0..i[0]);
    })
}
