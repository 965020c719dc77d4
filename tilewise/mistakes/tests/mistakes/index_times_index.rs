//! Positions are added, not multiplied.

use tilewise::prelude::*;

fn main() {
    let product = Index([1, 2]) * Index([3, 4]);
    assert_eq!(product, Index([3, 8]));
}
