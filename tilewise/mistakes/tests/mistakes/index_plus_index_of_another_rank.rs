//! Positions of two ranks are added.

use tilewise::prelude::*;

fn main() {
    let sum = Index([1, 2]) + Index([3, 4, 5]);
    assert_eq!(sum, Index([4, 6]));
}
