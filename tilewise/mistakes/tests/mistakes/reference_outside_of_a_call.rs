//! References are for arguments of calls.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let x = 1.0;
        let y = &x;
        out[i] = 1.0;
    })
}
