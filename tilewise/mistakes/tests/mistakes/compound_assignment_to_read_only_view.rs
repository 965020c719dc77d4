//! A view that only reads is added to.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let data = [1.0_f32; 4];
    let a = ArrayView::read_only(4, &data)?;
    parallel_for_each!(a.extent(), |i| {
        a[i] += 1.0;
    })
}
