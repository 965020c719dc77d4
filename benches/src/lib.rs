//! Benchmarks of Tilewise. `benches/` has the programs; here is what several of them share.
//!
//! [`kernels`] is the work of the table of peers as kernels, [`harness`] times contestants side by side, `drivers` are those that are drivers for processors, [`cores`] holds a program to some cores, [`output`] prints.

pub mod cores;
#[cfg(feature = "drivers")]
pub mod drivers;
pub mod harness;
pub mod kernels;
pub mod output;
