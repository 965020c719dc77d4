//! The header of a kernel's file: the `//!` lines that say how to launch the kernel, what its parameters
//! hold and what to expect. `docs/tests.md` defines the form.
//!
//! The conformance suite, the program `tilewise` and the playground read files with it. It knows no target:
//! it makes a domain, memory and arguments, and another crate launches.
//!
//! | module | purpose |
//! |---|---|
//! | [`scan`] | cuts a file into entries and annotations |
//! | [`header`] | parses the entries |
//! | [`data`], [`value`] | numbers: parsed, and printed as the shortest text that reads back |
//! | [`bind`] | memory and arguments of the inputs; scalars back from memory |
//! | [`mod@file`] | a file: its header and its kernel |
//! | [`kernel`] | the kernel of a text, or the errors it is rejected with |
//! | [`shader`] | WGSL and SPIR-V as such files |

pub mod bind;
pub mod data;
pub mod file;
pub mod header;
pub mod kernel;
pub mod scan;
pub mod shader;
pub mod value;

use std::fmt;

/// A place in a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct FilePlace {
    /// Line, from 1; 0 means the whole file.
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// An error in the header of a file.
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
