//! A view that only reads goes to a function that writes.

use tilewise::prelude::*;

#[amp]
fn put(i: Index<1>, target: &ArrayView<'_, f32>) {
    target[i] = 1.0;
}

fn main() -> tilewise::Result<()> {
    let data = [1.0_f32; 4];
    let a = ArrayView::read_only(4, &data)?;
    parallel_for_each!(a.extent(), |i| {
        put(i, &a);
    })
}
