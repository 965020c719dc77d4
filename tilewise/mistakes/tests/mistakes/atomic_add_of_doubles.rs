//! There are no atomics of doubles.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let a = ArrayView::from_vec(4, vec![1.0_f64; 4])?;
    parallel_for_each!(a.extent(), |i| {
        let _place = a.atomic(i);
    })
}
