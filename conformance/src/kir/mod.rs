//! File tests: runs a `.kir` file with the launch in its header and compares the results with its
//! expectations, or the errors with its annotations. `docs/tests.md` defines the form.
//!
//! The crate `tilewise-header` reads the header: [`scan`] cuts a file into entries and annotations,
//! [`header`] parses the entries, [`bind`] makes memory and arguments of the inputs (numbers by [`data`] and
//! [`value`]). Here [`case`] runs it on a target, [`compare`], [`reports`] and [`errors`] find differences,
//! and [`bless`] writes actual results back into the file. [`shader`] reads WGSL and SPIR-V as such files.

pub mod bless;
pub mod case;
pub mod compare;
pub mod errors;
pub mod reports;
pub mod shader;

pub use tilewise_header::{Complaint, FilePlace, bind, data, header, scan, value};
