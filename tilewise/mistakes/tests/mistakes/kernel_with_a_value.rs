//! A kernel has no result.

use tilewise::prelude::*;

fn main() {
    let kernel = kernel!(|i: Index<1>| i[0] + 1);
}
