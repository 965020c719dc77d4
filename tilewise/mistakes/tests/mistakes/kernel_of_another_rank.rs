//! A kernel of rank 2 is launched over a domain of rank 1.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec((2, 2), vec![0_i32; 4])?;
    let kernel = kernel!(|i: Index<2>| {
        out[i] = 1;
    });
    tilewise::parallel_for_each(Extent([4]), &kernel)?;
    Ok(())
}
