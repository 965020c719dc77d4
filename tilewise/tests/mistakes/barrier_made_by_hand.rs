//! A barrier comes from a tiled index.

use tilewise::prelude::*;

fn main() {
    let barrier = TileBarrier(());
    barrier.wait();
}
