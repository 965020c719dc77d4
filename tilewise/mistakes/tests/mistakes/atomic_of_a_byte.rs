//! Atomic operations work on 32 and 64 bits.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u8; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let _place = out.atomic(i);
    })
}
