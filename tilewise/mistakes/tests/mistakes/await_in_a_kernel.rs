//! `.await` in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let later = std::future::ready(1.0);
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = later.await;
    })
}
