//! The GPU targets: checked kernels as WGSL and SPIR-V, run through wgpu.

pub mod exact;
pub mod lower;
pub mod run;
pub mod shader_form;
