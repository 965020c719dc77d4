//! A closure that is neither named nor an argument.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let _both = [|x: i32| x + 1];
        out[i] = 1;
    })
}
