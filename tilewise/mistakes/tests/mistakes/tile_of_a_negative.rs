//! A tile dimension is no negative number.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([64]).tile::<-4>();
    assert_eq!(tiles.extent().size(), 64);
}
