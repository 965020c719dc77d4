//! The conformance suite of Tilewise as a library: it runs test cases on every target and returns
//! their verdicts.
//!
//! It has two layers. The **library** checks ([`library`]) run host programs on every accelerator.
//! The **file tests** ([`kir`]) are `.kir` files that every target must run with the same result.
//! They are embedded ([`corpus`]), so that `tilewise verify` needs no checkout. [`target`] lists
//! the targets, [`verdict`] the possible verdicts, [`suite`] runs many files and counts, [`mod@bench`] times
//! launches, [`page`] begins pages for people. With the feature `import`, `shader_corpus` judges shaders of others, and
//! `amber` runs scripts of Amber; with `gpu` too, `round_trip` takes kernels to shaders and back.

#[cfg(feature = "accuracy")]
pub mod accuracy;
#[cfg(feature = "import")]
pub mod amber;
pub mod bench;
pub mod corpus;
#[cfg(feature = "accuracy")]
pub mod device_accuracy;
pub mod fuzz;
pub mod input_file;
pub mod journal_file;
pub mod junit;
pub mod kir;
pub mod library;
pub mod litmus;
pub mod memory_difference;
pub mod own_target;
pub mod page;
#[cfg(feature = "gpu")]
mod retry_alone;
#[cfg(all(feature = "gpu", feature = "import"))]
pub mod round_trip;
#[cfg(feature = "import")]
pub mod shader_corpus;
pub mod shader_optimiser;
pub mod shell_word;
pub mod stage;
pub mod suite;
pub mod sweep;
pub mod target;
pub mod tolerance;
pub mod user_suite;
pub mod verdict;
pub mod whole_file;

pub use own_target::KernelTarget;
pub use user_suite::Suite;
