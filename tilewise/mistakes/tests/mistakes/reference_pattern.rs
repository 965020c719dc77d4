//! `&mut` in a pattern.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut x = i[0];
        let &mut y = &mut x;
        out[i] = y;
    })
}
