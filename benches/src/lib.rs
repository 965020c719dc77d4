//! The shared parts of Tilewise's benchmarks; the programs are in `benches/`.
//!
//! [`kernels`] is the work of the table of peers as kernels, [`harness`] times contestants side by
//! side, `drivers` runs contestants that are CPU drivers, [`pictures`] has kernels over textures,
//! [`cores`] pins a program to some cores, [`output`] prints.

pub mod cores;
#[cfg(feature = "drivers")]
pub mod drivers;
pub mod harness;
pub mod kernels;
pub mod output;
pub mod pictures;
