//! A text is no value of a kernel; its bytes are.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let text = "abcd";
        out[i] = 1;
    })
}
