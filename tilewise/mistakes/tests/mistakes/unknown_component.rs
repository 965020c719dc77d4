//! A vector of two has no third component.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let v = Float2::new(1.0, 2.0);
        out[i] = v.z;
    })
}
