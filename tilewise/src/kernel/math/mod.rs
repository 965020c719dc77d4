//! The libraries of mathematical functions, on the host: the same bits as in kernels.
//!
//! The kernel language has them as kernel text (`tilewise_ir::math`). `fast.rs` is that text
//! translated to Rust by `tilewise_ir::math::rust`; a test checks that it is up to date. The other
//! modules have the functions that users call, and their companions for kernels.

#[rustfmt::skip]
mod fast;
pub mod fast_math;
#[cfg(test)]
mod tests;
