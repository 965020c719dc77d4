//! A name for a `&mut` reference to an element of a local array.

use tilewise::prelude::*;

fn main() {
    let v = ArrayView::from_vec(4, vec![0; 4]).unwrap();
    let _ = parallel_for_each!(v.extent(), |i| {
        let mut a = [0; 4];
        let p = &mut a[1];
        *p = 9;
        v[i] = a[1];
    });
}
