//! `main` is for the host.

use tilewise::prelude::*;

#[amp]
fn main() {}
