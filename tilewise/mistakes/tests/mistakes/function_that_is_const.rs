//! A function for kernels is called when they run; a constant of the host can have it all the same.

use tilewise::prelude::*;

#[amp]
const fn doubled(x: i32) -> i32 {
    2 * x
}

const FOUR: i32 = doubled(2);

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| v[i] = doubled(i[0]) + FOUR).unwrap();
}
