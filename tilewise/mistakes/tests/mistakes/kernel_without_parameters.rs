//! A kernel has one parameter: its index.

use tilewise::prelude::*;

fn main() {
    let kernel = kernel!(|| {});
}
