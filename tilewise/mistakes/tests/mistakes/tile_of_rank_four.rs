//! Tiles have three dimensions at most.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([4, 4, 4, 4]).tile::<4, 4, 4>();
    assert_eq!(tiles.extent().size(), 256);
}
