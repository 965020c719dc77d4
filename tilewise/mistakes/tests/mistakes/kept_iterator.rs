//! An iterator that has a name.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let a = [1, 2, 3];
        let items = a.iter().skip(1);
        for x in items {
            v[i] += *x;
        }
    });
    launched.unwrap();
}
