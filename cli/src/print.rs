//! `tilewise print`: the canonical form of a kernel. Comments and the header are not part of a kernel, and so are not printed.

use std::path::Path;

use tilewise::ir::diag::render;
use tilewise::ir::text;

use crate::console::{CommandError, Console};
use crate::source;

/// Prints the kernel of a file; false if its text cannot be parsed.
pub(crate) fn print(file: &Path, console: &mut Console) -> Result<bool, CommandError> {
    let (name, source) = source::read(file)?;
    match text::parse(&name, &source) {
        Ok(kernel) => {
            console.text(text::print(&kernel));
            Ok(true)
        }
        Err(failure) => {
            console.text(render(&failure.diagnostics, &failure.sources, console.colour()));
            Ok(false)
        }
    }
}
