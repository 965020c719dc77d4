//! An array of no length has no bytes.

use tilewise::prelude::*;

fn main() {
    let _ = Array::<[u32; 0]>::new(3);
}
