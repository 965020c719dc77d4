//! There are no references to what an `Option` holds.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let mut found = i[0].checked_sub(1);
        v[i] = found.take_if(|x| *x > 2).unwrap_or(4);
    });
    launched.unwrap();
}
