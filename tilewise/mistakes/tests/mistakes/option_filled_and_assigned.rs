//! The methods that fill an `Option` give a `&` in a kernel: through it, nothing changes.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let mut count: Option<i32> = None;
        *count.get_or_insert(0) += 1;
        out[i] = count.unwrap_or(i[0]);
    })
}
