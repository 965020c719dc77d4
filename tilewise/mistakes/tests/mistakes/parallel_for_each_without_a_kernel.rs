//! A launch needs a kernel.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    let extent = Extent([4]);
    parallel_for_each!(extent)?;
    Ok(())
}
