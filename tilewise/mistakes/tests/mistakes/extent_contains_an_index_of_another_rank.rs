//! A position of rank 1 in an extent of rank 2.

use tilewise::prelude::*;

fn main() {
    assert!(Extent([4, 6]).contains(Index([1])));
}
