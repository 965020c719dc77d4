//! A `static` is memory of the host.

use tilewise::prelude::*;

static LEVEL: f32 = 1.0;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = LEVEL;
    })
}
