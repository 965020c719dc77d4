//! The procedural macros that turn Rust closures and functions into kernels.
//!
//! Nothing of it exists yet: this crate holds its place in the workspace and is empty.
