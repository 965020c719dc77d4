//! Benchmarks: kernels side by side with other ways to compute the same.
//!
//! Nothing of it exists yet: this crate holds its place in the workspace and is empty.
