//! A kernel has one parameter: its index.

use tilewise::prelude::*;

fn main() {
    let kernel = kernel!(|i: Index<1>, j: Index<1>| {});
}
