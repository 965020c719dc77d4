//! Kernels in Rust become kernels of the kernel language: trees written by hand, lowered, printed, checked and run.

mod arithmetic;
mod case;
mod dsl;
