//! `tilewise print`: the canonical form of a kernel. Comments and the header are not part of a kernel, and so are not printed.

use std::path::Path;

use tilewise::ir::diag::render;
use tilewise::ir::text;
use tilewise_conformance::kir::shader::is_shader;

use crate::console::{CommandError, Console};
use crate::shader::{ShaderArgs, named_contents};
use crate::source::SourceContents;

/// Prints the kernel of a file; false if its text cannot be parsed.
pub(crate) fn print(file: &Path, shader: &ShaderArgs, console: &mut Console) -> Result<bool, CommandError> {
    let (name, contents) = named_contents(file)?;
    let source = match &contents {
        SourceContents::Text(source) if !is_shader(&name) && !name.ends_with(".amber") => {
            shader.of_no_shader(&name)?;
            source
        }
        // A shader becomes a kernel only if it is accepted.
        SourceContents::Text(_) | SourceContents::SpirV(_) => {
            return match shader.read_contents(name, &contents)?.file.kernel {
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
    };
    match text::parse(&name, source) {
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
