//! The name of a closure in a tuple.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let add = |x: i32| x + 1;
        let _pair = (add, 1);
        out[i] = 1;
    })
}
