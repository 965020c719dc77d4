//! A tuple is a position of up to three dimensions.

use tilewise::prelude::*;



fn main() {
    let at: Index<4> = Index::<4>::new((1, 2, 3, 4));
    assert_eq!(at[0], 1);
}
