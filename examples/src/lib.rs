//! Numbered example programs (`examples/examples`), each run by a test. `examples/README.md` lists them in groups.
//!
//! Here lies only what the programs share: [`record`], by which a program hands its results to the tests; for the
//! programs about pictures, [`pictures`] with their arguments and [`scene`], their input. The programs need nothing
//! else but `tilewise`.

pub mod pictures;
pub mod scene;

use std::fmt::Write as _;
use std::path::Path;
use std::{env, fs};

use tilewise::Element;

/// The environment variable that names the folder for results.
pub const RESULTS: &str = "TILEWISE_EXAMPLES_RESULTS";

/// Keeps a result for the tests, which compare it bit for bit between accelerators: more than what a program prints of
/// it. Does nothing unless a test asks for it.
///
/// # Panics
/// If the result cannot be written.
pub fn record<T: Element>(name: &str, elements: &[T]) {
    let Some(folder) = env::var_os(RESULTS) else { return };
    let mut lines = String::new();
    for element in elements {
        for byte in tilewise::bytemuck::bytes_of(element).iter().rev() {
            write!(lines, "{byte:02x}").expect("a String takes all text");
        }
        lines.push('\n');
    }
    let path = Path::new(&folder).join(name);
    fs::write(&path, lines).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
}

/// The blocks of Rust in the project's README and in that of the examples, as tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../../README.md")]
    struct Project;

    #[doc = include_str!("../README.md")]
    struct Examples;
}
