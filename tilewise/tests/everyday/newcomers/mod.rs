//! Programs of a newcomer, by themes. Each gives in a kernel what it gives in plain Rust.

use super::*;

mod algorithms;
mod machines;
mod numbers;
