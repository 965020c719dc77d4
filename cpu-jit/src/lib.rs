//! The CPU target: compiles checked kernels with Cranelift and runs their tiles on all cores.
//!
//! Nothing of it exists yet: this crate holds its place in the workspace and is empty.
