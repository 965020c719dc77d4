//! What a Rust programmer writes in the second week.

mod machines;
mod numbers;
mod scopes;
mod tables;
mod traits;

use super::*;
