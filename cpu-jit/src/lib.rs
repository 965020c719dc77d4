//! The CPU target: compiles checked kernels with Cranelift and runs their tiles on all cores.
//!
//! A kernel passes through three stages: [`vectorize`] turns it into a [`lanes::LaneProgram`],
//! `emit` compiles that to machine code, and [`run`] executes the code on worker threads.

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
mod sorted;
pub mod vectorize;
