//! One tile dimension for an extent of rank 2.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([64, 64]).tile::<64>();
    assert_eq!(tiles.extent().size(), 4096);
}
