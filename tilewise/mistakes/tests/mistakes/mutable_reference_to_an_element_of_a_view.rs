//! An element of a view gets a name by `&mut`.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let p = &mut out[i];
        *p = 9;
    })
}
