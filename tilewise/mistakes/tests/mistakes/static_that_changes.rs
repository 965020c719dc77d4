//! A `static` that can change is memory of the host.

use tilewise::prelude::*;

static mut LEVEL: i32 = 1;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = LEVEL as f32;
    })
}
