//! `#[tile_static]` on the host.

use tilewise::prelude::*;

fn main() {
    #[tile_static]
    let sums: [f32; 4];
}
