//! What a Rust programmer writes in the third week.

mod machines;
mod numbers;
mod structures;
mod texts;

use super::*;
