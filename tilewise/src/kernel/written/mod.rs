//! Methods of the standard library's types that are written in the kernel language: each is a trait with
//! `#[amp]`, whose companions kernels call, and which do on every target what Rust's methods do.
//!
//! The traits have Rust's names of the methods, so that rustc's errors show those; on the host, Rust's
//! own methods come first.

mod absent;
mod containers;
mod letters;

pub use absent::{AbsentOfArrays, AbsentOfOptions, AbsentOfSlices};
pub use containers::{ArrayChanges, ArrayQuestions, Copies, NestedOption, OptionChanges, TruthMethods};
pub use letters::{ByteMethods, CharMethods};
