//! A byte string in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let text = b"abcd";
        out[i] = text[i[0]] as u32;
    })
}
