//! The GPU targets: lowers checked kernels to WGSL and SPIR-V and runs them through wgpu.
//!
//! - [`lower`]: from the checked kernel to a naga module
//! - [`shader_form`]: from the naga module to WGSL, a module or strict SPIR-V
//! - [`run`]: adapters, devices, queues and launches
//! - `probe`: runs kernels on an adapter to determine which of its float operations are exact
//! - [`exact`]: the set of native float operations of a driver that are exact

pub mod exact;
pub mod lower;
mod probe;
mod qualified;
pub mod run;
pub mod shader_form;
mod short_expressions;
