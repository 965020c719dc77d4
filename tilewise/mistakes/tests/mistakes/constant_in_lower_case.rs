//! A constant whose name is not in capitals: in a kernel, that is a variable which is captured.

use tilewise::prelude::*;

#[allow(non_upper_case_globals)]
const limit: i32 = 5;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        out[i] = limit;
    })
}
