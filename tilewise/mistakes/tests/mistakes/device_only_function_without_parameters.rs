//! A function for kernels only, without parameters, is called on the host.

use tilewise::prelude::*;

#[amp(device_only)]
fn one() -> f32 {
    1.0
}

fn main() {
    assert_eq!(one(), 1.0);
}
