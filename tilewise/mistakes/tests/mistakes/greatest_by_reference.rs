//! The greatest of the references to elements, and not of the elements.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let a = [1, 2, i[0]];
        if let Some(most) = a.iter().max() {
            out[i] = *most;
        }
    })
}
