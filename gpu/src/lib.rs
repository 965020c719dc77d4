//! The GPU targets: checked kernels as WGSL and SPIR-V, run through wgpu.
//!
//! Nothing of it exists yet: this crate holds its place in the workspace and is empty.
