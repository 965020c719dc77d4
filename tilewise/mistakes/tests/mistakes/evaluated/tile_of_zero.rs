//! A tile of no threads.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([64]).tile::<0>();
    assert_eq!(tiles.extent().size(), 64);
}
