//! The libraries of mathematical functions, on the host: the same bits as in kernels.
//!
//! The kernel language has them as kernel text (`tilewise_ir::math`). `fast.rs` is that text as Rust, written by a machine (`tilewise_ir::math::rust`); a test holds it to the text.
//! Around it stand what users call, and the companions by which kernels do.

#[rustfmt::skip]
mod fast;
pub mod fast_math;
#[cfg(test)]
mod tests;
