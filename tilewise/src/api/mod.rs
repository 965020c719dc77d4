//! What users name: views and arrays, shapes, short vectors, accelerators, launches, errors. All of
//! it is reached through the root of the crate, but for the modules that are public.

pub(crate) mod accelerator;
pub(crate) mod array;
pub(crate) mod completion;
pub(crate) mod copy;
pub(crate) mod domain;
pub mod element;
pub(crate) mod error;
pub(crate) mod guard;
pub(crate) mod hook;
pub(crate) mod launch;
pub mod prelude;
pub(crate) mod printed;
pub mod report;
pub(crate) mod shape;
pub mod vector;
pub(crate) mod view;

// Not in the file that it tests: `tests/loom.rs` includes that.
#[cfg(test)]
#[path = "completion/tests.rs"]
mod completion_tests;
