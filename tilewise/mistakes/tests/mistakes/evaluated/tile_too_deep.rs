//! The most significant dimension of three has 64 threads at most.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([128, 2, 2]).tile::<128, 2, 2>();
    assert_eq!(tiles.extent().size(), 512);
}
