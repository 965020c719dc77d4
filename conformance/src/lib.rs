//! The conformance suite of Tilewise, as a library: what it runs, how it judges, what it reports.
//!
//! It has two layers. The **library** ([`library`]): what programs do on the host, on every accelerator. The **file tests** ([`kir`]): `.kir` files that every target must run with the same result. They are built in
//! ([`corpus`]), so that `tilewise verify` needs no checkout. [`target`] lists what can run a kernel, [`verdict`] what can come of it, [`suite`] runs many
//! files and counts.

pub mod corpus;
pub mod fuzz;
pub mod kir;
pub mod library;
#[cfg(feature = "gpu")]
mod retry_alone;
pub mod stage;
pub mod suite;
pub mod target;
pub mod verdict;
pub mod whole_file;
