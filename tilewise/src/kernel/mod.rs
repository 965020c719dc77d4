//! A kernel on the side of Rust: the closure as data, the types that may be in it, what it captures,
//! and the cache of kernels that were lowered and checked.

pub(crate) mod arithmetic;
pub(crate) mod capture;
pub(crate) mod companions;
pub mod macro_support;
pub(crate) mod math;
pub mod numbers;
pub(crate) mod program;
pub mod types;
pub(crate) mod value;
