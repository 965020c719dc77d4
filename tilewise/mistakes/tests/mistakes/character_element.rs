//! Not every number is a character, so views have none.

use tilewise::prelude::*;



fn main() -> tilewise::Result<()> {
    let letters = ArrayView::from_vec(1, vec!['a'])?;
    parallel_for_each!(letters.extent(), |i| letters[i] = 'b')
}
