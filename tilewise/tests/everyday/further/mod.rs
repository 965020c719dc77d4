//! Programs of the second week: types of one's own with traits and operators, containers in arrays, parsers, and what
//! computes.

mod computing;
mod containers;
mod own_types;
mod texts;

use super::*;
