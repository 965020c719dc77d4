//! `#[amp]` is for functions; a constant needs nothing.

use tilewise::prelude::*;

#[amp]
const LIMIT: i32 = 3;

fn main() {}
