//! A constant of an inner block, of which one outside has the name.

use tilewise::prelude::*;

const K: i32 = 4;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        if i[0] > 1 {
            const K: i32 = 3;
            out[i] = K;
        }
        out[i] += K;
    })
}
