//! A tile dimension is a constant.

use tilewise::prelude::*;

fn main() {
    let n = 8;
    let tiles = Extent([64]).tile::<{ n }>();
    assert_eq!(tiles.extent().size(), 64);
}
