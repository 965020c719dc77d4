//! A function for kernels only is called on the host.

use tilewise::prelude::*;

#[amp(device_only)]
fn halved(x: f32) -> f32 {
    x / 2.0
}

fn main() {
    let x = halved(1.0);
    assert_eq!(x, 0.5);
}
