//! A mistake in the syntax is rustc's alone; the function is there, and its calls are not reported too.

use tilewise::prelude::*;

#[amp]
fn sum(x: i32, y: i32) -> i32 {
    x +
}

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    parallel_for_each!(v.extent(), |i| v[i] = sum(i[0], 1)).unwrap();
    println!("{}", sum(1, 2));
}
