//! The operand has the type of the element.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0.0_f32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out.atomic(0).fetch_max(i[0]);
    })
}
