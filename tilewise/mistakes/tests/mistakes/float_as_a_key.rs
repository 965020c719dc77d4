//! Keys are in an order of all values, as in Rust.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut a = [3, 1, i[0]];
        a.sort_by_key(|x| *x as f32);
        out[i] = a[0] as f32;
    })
}
