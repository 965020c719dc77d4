//! The numbers of `.enumerate()` are those of the elements, so it stands first.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let a = [1, 2, 3];
        for (k, x) in a.iter().rev().enumerate() {
            v[i] += k as i32 * x;
        }
    });
    launched.unwrap();
}
