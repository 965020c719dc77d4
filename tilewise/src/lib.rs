//! C++ AMP's programming model for Rust.

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;
