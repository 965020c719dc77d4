//! `kernel!` is given a closure.

use tilewise::prelude::*;

fn main() {
    let halved = kernel!(3);
}
