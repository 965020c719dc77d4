//! `for_each` over the elements of an array.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [1, 2, 3];
        a.iter_mut().for_each(|x| *x += 1);
        out[i] = a[0];
    })
}
