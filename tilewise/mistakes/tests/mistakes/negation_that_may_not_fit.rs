//! What is absent has its own type: what is done with it is no second mistake.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let (negated, over) = i[0].overflowing_neg();
        v[i] = if over { 0 } else { negated };
    });
    launched.unwrap();
}
