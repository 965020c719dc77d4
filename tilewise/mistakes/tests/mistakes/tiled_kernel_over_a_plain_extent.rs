//! A kernel for tiles is launched without them.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let out = ArrayView::from_vec(4, vec![0_i32; 4])?;
    let kernel = kernel!(|t: TiledIndex<1, 4>| {
        out[t] = 1;
    });
    tilewise::parallel_for_each(out.extent(), &kernel)?;
    Ok(())
}
