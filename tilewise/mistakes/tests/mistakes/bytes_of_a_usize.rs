//! A `usize` has other bytes on the host.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u32; 4])?;
    parallel_for_each!(out.extent(), |i| {
        let n = i[0] as usize;
        out[i] = n.to_le_bytes()[0] as u32;
    })
}
