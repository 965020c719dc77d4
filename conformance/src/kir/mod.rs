//! File tests: a `.kir` file that says with what to launch its kernel and what must come out, or which errors it must be rejected with. `docs/tests.md`
//! defines the form.
//!
//! The way of a file: [`scan`] cuts it into entries and annotations, [`header`] gives the entries their meaning, [`bind`] makes memory and arguments of
//! the inputs (their numbers by [`data`] and [`value`]), [`case`] runs it on a target, [`compare`], [`reports`] and [`errors`] say what differs, and [`bless`] writes
//! what came out back into the file.

pub mod bind;
pub mod bless;
pub mod case;
pub mod compare;
pub mod data;
pub mod errors;
pub mod header;
pub mod reports;
pub mod scan;
pub mod value;

use std::fmt;

/// A place in a test file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FilePlace {
    /// Line, from 1; 0 says that the whole file is meant.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// What is wrong with a test file itself.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Complaint {
    /// Where.
    pub at: FilePlace,
    /// What, in one line.
    pub message: String,
    /// What to do.
    pub help: String,
}

impl Complaint {
    /// A complaint.
    pub fn new(at: FilePlace, message: impl Into<String>, help: impl Into<String>) -> Complaint {
        Complaint { at, message: message.into(), help: help.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}\n  help: {}", self.message, self.help)
    }
}
