//! Not every number is a character, so views have none.

use tilewise::prelude::*;



fn main() -> tilewise::Result<()> {
    let _letters = ArrayView::from_vec(1, vec!['a'])?;
    Ok(())
}
