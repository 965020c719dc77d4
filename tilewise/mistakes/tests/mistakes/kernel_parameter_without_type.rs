//! `kernel!` cannot know the rank.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    let kernel = kernel!(|i| {
        out[i] = 1;
    });
    Ok(())
}
