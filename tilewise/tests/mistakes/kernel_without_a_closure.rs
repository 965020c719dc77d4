//! `kernel!` is given a closure.

use tilewise::prelude::*;

fn main() {
    let half = kernel!(3);
}
