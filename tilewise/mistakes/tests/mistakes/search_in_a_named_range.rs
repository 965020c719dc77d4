//! A search in a range that has a name.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let numbers = 0..5;
        if numbers.all(|k| k > i[0]) {
            out[i] = 1;
        }
    })
}
