//! Tiles within their limits: all that the other programs here do wrong, done right.

use tilewise::prelude::*;

fn main() {
    assert_eq!(Extent([64]).tile::<16>().extent().size(), 64);
    assert_eq!(Extent([64, 64]).tile::<32, 32>().extent().size(), 4096);
    assert_eq!(Extent([128, 2, 2]).tile::<64, 2, 2>().extent().size(), 512);
}
