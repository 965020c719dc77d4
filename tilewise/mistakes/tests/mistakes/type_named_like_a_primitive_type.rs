//! A cast to a type of the name `i32` that is another one.

use tilewise::prelude::*;

#[allow(non_camel_case_types)]
type i32 = usize;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_u64; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = (i[0] as i32 + 1) as u64;
    })
}
