//! `#[amp]` stands before the derive: behind it, it does not see it.

use tilewise::prelude::*;

#[derive(Clone, Copy, PartialEq, AmpStruct)]
#[amp]
struct Version {
    major: u32,
}

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = 1.0;
    })
}
