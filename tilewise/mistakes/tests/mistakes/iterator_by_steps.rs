//! An iterator that is asked for one item.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        let mut items = a.iter();
        while let Some(x) = items.next() {
            out[i] += *x;
        }
    })
}
