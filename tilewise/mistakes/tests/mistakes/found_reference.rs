//! An `Option` holds no reference, and what is found is one.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        if let Some(x) = a.iter().find(|x| **x > 1) {
            out[i] = *x;
        }
    })
}
