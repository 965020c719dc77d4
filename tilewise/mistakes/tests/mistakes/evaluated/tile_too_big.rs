//! A tile of more than 1024 threads.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([64, 64]).tile::<64, 64>();
    assert_eq!(tiles.extent().size(), 4096);
}
