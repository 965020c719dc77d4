//! The kernel of a text: parsed and checked, or imported from a shader, or the errors it is rejected with.

use tilewise_ir::check::{self, Checked};
use tilewise_ir::diag::{Colour, Diagnostic, render};
use tilewise_ir::kernel::Kernel;
use tilewise_ir::pos::Sources;
use tilewise_ir::text;

use crate::shader::{self, ShaderContents, ShaderOptions};

/// The errors that a kernel is rejected with.
#[derive(Clone, Debug)]
pub struct Rejection {
    /// The reports.
    pub diagnostics: Vec<Diagnostic>,
    /// The texts they point into.
    pub sources: Sources,
}

impl Rejection {
    /// The reports in the form of rustc.
    pub fn render(&self, colour: Colour) -> String {
        render(&self.diagnostics, &self.sources, colour)
    }
}

/// Parses and checks a kernel; of a file called `.wgsl`, imports it.
pub fn compile(path: &str, text: &str) -> Result<Checked<Kernel>, Rejection> {
    if shader::is_shader(path) {
        let shader = crate::file::read_shader(path, ShaderContents::Wgsl(text), &ShaderOptions::default());
        return shader.kernel;
    }
    let kernel = text::parse(path, text)
        .map_err(|failure| Rejection { diagnostics: failure.diagnostics, sources: failure.sources })?;
    check::check(kernel).map_err(|rejected| Rejection { diagnostics: rejected.diagnostics, sources: rejected.sources })
}
