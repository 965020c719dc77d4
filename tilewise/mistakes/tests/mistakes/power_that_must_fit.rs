//! What is absent has its own type: what is done with it is no second mistake.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        v[i] = i[0].strict_pow(2).min(7);
    });
    launched.unwrap();
}
