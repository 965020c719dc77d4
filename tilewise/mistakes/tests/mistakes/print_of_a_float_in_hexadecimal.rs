//! Only integers are written by their bits.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        print!("{:x}", out[i]);
    })
}
