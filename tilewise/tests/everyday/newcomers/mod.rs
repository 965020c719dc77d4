//! Programs of a newcomer, by themes. Each gives in a kernel what it gives in plain Rust.

use super::*;

mod algorithms;
mod choices;
mod computing;
mod machines;
mod numbers;
mod searching;
mod structs;
mod tables;
