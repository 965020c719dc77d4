//! The GPU targets: lowers checked kernels to WGSL and SPIR-V and runs them through wgpu.
//!
//! - [`lower`]: from the checked kernel to a naga module
//! - [`shader_form`]: from the naga module to WGSL, a module or strict SPIR-V
//! - [`run`]: adapters, devices, queues and launches
//! - [`exact`]: the set of native float operations of a driver that are exact

pub mod exact;
pub mod lower;
pub mod run;
pub mod shader_form;
