//! A `Unorm` has no sign.

use tilewise::graphics::Unorm;
use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![Unorm::MAX; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = -out[i];
    })
}
