//! The place of an element by a method.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, 3];
        let at = a.iter().position(|x| *x == i[0]);
        out[i] = at.unwrap_or(3) as i32;
    })
}
