//! An `Option` has no iterator in a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let option = Some(i[0]);
        out[i] = option.iter().sum();
    })
}
