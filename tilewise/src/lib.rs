//! What users of Tilewise import: C++ AMP's programming model in Rust.

#[doc(hidden)]
pub mod form;
#[doc(hidden)]
pub mod numbers;
pub mod types;

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;
