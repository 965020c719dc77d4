//! A name of a reference is given another one.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let (mut a, mut b) = (1, 2);
        let mut p = &mut a;
        p = &mut b;
        *p += 1;
        out[i] = a + b;
    })
}
