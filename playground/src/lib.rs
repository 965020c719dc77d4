//! The playground: the reference target and the importer for a page in a browser, as WebAssembly.
//!
//! The page is `docs/playground`; `playground/build` compiles this crate for it. [`run_text`] runs the text of
//! a kernel or shader with all checks, by the header lines that files of the suite have, and gives an
//! [`TextAnswer`], which the page gets as JSON. [`EXAMPLES`] are files of the suite.
//!
//! | module | purpose |
//! |---|---|
//! | [`answer`] | the answer as data |
//! | [`launch`] | runs a text |
//! | `suggest` | a header for a text without one |
//! | [`examples`] | the examples |
//! | [`border`] | the functions that JavaScript calls, and the only code here that is exported |
//!
//! Nothing here reads a file, a clock or the network. An endless kernel ends by [`FUEL`]; a panic is a trap of
//! WebAssembly, after which the page asks [`border`] for its message and makes a new instance.

pub mod answer;
pub mod border;
pub mod examples;
pub mod launch;
mod suggest;
#[cfg(test)]
mod tests;

pub use answer::TextAnswer;
pub use examples::EXAMPLES;
pub use launch::{FUEL, MAX_BYTES, TextLanguage, run_text};
