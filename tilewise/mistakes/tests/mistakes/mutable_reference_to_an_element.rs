//! `&mut` on an element of an array: a copy is lent, and written back.

use tilewise::prelude::*;

#[amp]
fn bump(x: &mut i32) {
    *x += 1;
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i: Index<1>| {
        let mut line = [1, 2, 3, 4];
        bump(&mut line[0]);
        out[i] = line[0];
    })
}
