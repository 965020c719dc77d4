//! An Option of a kernel holds no reference.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut it = [1, 2, i[0]].into_iter().peekable();
        if let Some(x) = it.peek() {
            out[i] = *x;
        }
    })
}
