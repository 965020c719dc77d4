//! The libraries of mathematical functions, on the host: the same bits as in kernels.
//!
//! The kernel language has them as kernel text (`tilewise_ir::math`). `host` is that text translated
//! to Rust by the test `host_math` of `tilewise-ir`; it checks that it is up to date. The other modules have
//! the functions that users call, and their companions for kernels.

pub mod direct3d;
pub mod fast_math;
pub(crate) mod float;
mod functions;
pub(crate) mod half;
pub(crate) mod host;
pub(crate) mod other_names;
pub mod precise_math;
pub(crate) mod row;
#[cfg(test)]
mod tests;
