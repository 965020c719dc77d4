//! `#[tile_static]` on the host.

use tilewise::prelude::*;

fn main() {
    let tiles = Extent([4]).tile::<4>();
    #[tile_static]
    let _sums: [f32; 4];
    assert_eq!(tiles.extent().size(), 4);
}
