//! What users of Tilewise import: C++ AMP's programming model in Rust.
//!
//! Today it holds the kernel language only, as [`ir`]. The types of the model (extents, tiles, arrays and views, accelerators, `parallel_for_each`) will live
//! here; none of them exists yet.

/// The kernel language: what kernels are made of, the checker, the interpreter. For tools and tests; programs rarely need it.
pub use tilewise_ir as ir;
