//! Only a byte is a character for certain.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let c = i[0] as char;
        if c == 'a' {
            out[i] = 1.0;
        }
    })
}
