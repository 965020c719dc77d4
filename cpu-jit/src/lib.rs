//! The CPU target: compiles checked kernels with Cranelift and runs their tiles on all cores.
//!
//! The way of a kernel: [`vectorize`] makes a [`lanes::LaneProgram`] of it, `emit` machine code of that, [`run`] runs it on worker threads.

pub mod bind;
pub mod dump;
pub mod emit;
mod environment;
mod flat;
mod hash;
pub mod lanes;
mod perf;
pub mod report;
pub mod run;
pub mod vectorize;
