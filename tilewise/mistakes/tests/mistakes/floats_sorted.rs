//! Floats have no order of all their values.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0_i32; 4]).unwrap();
    let launched = parallel_for_each!(v.extent(), |i| {
        let mut a = [3.0, i[0] as f32, 2.0];
        a.sort();
        v[i] = a[0] as i32;
    });
    launched.unwrap();
}
