//! No method gives a reference.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let a = [3, i[0], 2];
        v[i] = *a.last().unwrap();
    });
    launched.unwrap();
}
