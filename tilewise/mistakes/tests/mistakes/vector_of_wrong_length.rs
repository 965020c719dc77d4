//! Three components for a vector of two.

use tilewise::prelude::*;

fn main() {
    let v = Float2::new(1.0, 2.0, 3.0);
    assert_eq!(v.x, 1.0);
}
