//! A function without `#[amp]` with the path of one of the standard library.

use tilewise::prelude::*;

mod mem {
    pub fn swap(a: &mut i32, b: &mut i32) {
        *a += *b;
    }
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let (mut a, mut b) = (1, 2);
        mem::swap(&mut a, &mut b);
        out[i] = a + b;
    })
}
