//! File tests: runs a `.kir` file with the launch in its header and compares the results with its
//! expectations, or the errors with its annotations. `docs/tests.md` defines the form.
//!
//! Stages: [`scan`] cuts a file into entries and annotations, [`header`] parses the entries,
//! [`bind`] makes memory and arguments of the inputs (numbers by [`data`] and [`value`]), [`case`]
//! runs it on a target, [`compare`], [`reports`] and [`errors`] find differences, and [`bless`]
//! writes actual results back into the file. [`shader`] reads WGSL and SPIR-V as such files.

pub mod bind;
pub mod bless;
pub mod case;
pub mod compare;
pub mod data;
pub mod errors;
pub mod header;
pub mod reports;
pub mod scan;
pub mod shader;
pub mod value;

use std::fmt;

/// A place in a test file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FilePlace {
    /// Line, from 1; 0 means the whole file.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// An error in a test file itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// The place.
    pub at: FilePlace,
    /// The error, in one line.
    pub message: String,
    /// How to fix it.
    pub help: String,
}

impl Complaint {
    /// A new complaint.
    pub fn new(at: FilePlace, message: impl Into<String>, help: impl Into<String>) -> Complaint {
        Complaint { at, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  help: {}", self.message, self.help)
    }
}
