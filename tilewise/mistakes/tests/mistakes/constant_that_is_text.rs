//! A constant text in a message.

use tilewise::prelude::*;

const NAME: &str = "x";

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0; 4])?;
    parallel_for_each!(out.extent(), |i| {
        print!("{}", NAME);
        out[i] = 1;
    })
}
