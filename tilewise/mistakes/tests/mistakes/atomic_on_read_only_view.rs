//! An atomic on a view that only reads.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let data = [1_i32; 4];
    let a = ArrayView::read_only(4, &data)?;
    parallel_for_each!(a.extent(), |i| {
        a.atomic(i).fetch_add(1);
    })
}
