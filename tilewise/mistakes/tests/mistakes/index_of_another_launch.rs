//! The index of the launch has another rank than the view.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(Extent([2, 2]), |i| {
        out[i] = 1.0;
    })
}
