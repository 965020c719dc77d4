//! A launch needs a domain.

use tilewise::prelude::*;

fn main() -> tilewise::Result<()> {
    parallel_for_each!(|i| {})?;
    Ok(())
}
