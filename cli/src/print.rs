//! `tilewise print`: the canonical form of a kernel. Comments and the header are not part of a kernel, and so are not printed.

use std::path::Path;

use tilewise::ir::diag::render;
use tilewise::ir::text;
use tilewise_conformance::kir::shader::is_shader;

use crate::console::{CommandError, Console};
use crate::shader::ShaderArgs;
use crate::source;

/// Prints the kernel of a file; false if its text cannot be parsed.
pub(crate) fn print(file: &Path, shader: &ShaderArgs, console: &mut Console) -> Result<bool, CommandError> {
    let name = file.to_string_lossy();
    if is_shader(&name) || name.ends_with(".amber") {
        // A shader becomes a kernel only if it is accepted.
        return match shader.read(file)?.file.kernel {
            Ok(kernel) => {
                console.text(text::print(&kernel));
                Ok(true)
            }
            Err(rejection) => {
                console.text(rejection.render(console.colour()));
                Ok(false)
            }
        };
    }
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
