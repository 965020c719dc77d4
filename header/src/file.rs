//! A file: its header and its kernel.

use std::sync::Arc;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::limits::MAX_TEXT;

use crate::header::{self, Header};
use crate::kernel::{Rejection, compile};
use crate::scan::{Scanned, scan};
use crate::shader::{self, ShaderContents, ShaderOptions, ShaderParams, ShaderSlot};
use crate::{Complaint, FilePlace};

/// A parsed file: its header and its kernel.
#[derive(Debug)]
pub struct HeadedFile {
    /// Its parts.
    pub scanned: Scanned,
    /// Its header.
    pub header: Header,
    /// Errors in the header.
    pub complaints: Vec<Complaint>,
    /// The kernel, or the errors it is rejected with.
    pub kernel: Result<Checked<Kernel>, Rejection>,
    /// The parameters of a shader.
    pub slots: Vec<ShaderSlot>,
    /// Of a shader: the parameters whose inputs have forms of their own.
    pub shader: Arc<ShaderParams>,
}

/// Parses a file, without a byte order mark at its beginning. One called `.wgsl` is a shader.
pub fn read(path: &str, text: &str) -> HeadedFile {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if shader::is_shader(path) {
        return read_shader(path, ShaderContents::Wgsl(text), &ShaderOptions::default());
    }
    // A text beyond the limit is not scanned; the kernel's error reports it.
    let readable = if text.len() > MAX_TEXT { "" } else { text };
    let (scanned, mut complaints) = scan(readable);
    let header = header::read(&scanned.entries, &mut complaints);
    complaints.extend(not_in_kernels(&header));
    HeadedFile { scanned, header, complaints, kernel: compile(path, text), slots: Vec::new(), shader: Arc::default() }
}

/// Parses a shader and its header.
pub fn read_shader(path: &str, contents: ShaderContents<'_>, options: &ShaderOptions) -> HeadedFile {
    let text = match contents {
        ShaderContents::Wgsl(text) => text,
        ShaderContents::SpirV(_) => "",
    };
    let (mut scanned, mut complaints) = scan(text);
    if !scanned.entries.iter().any(shader::is_dispatch) {
        scanned.entries.clear();
        complaints.clear();
    }
    let mut header = header::read(&scanned.entries, &mut complaints);
    let mut asked = options.clone();
    asked.entry = asked.entry.or_else(|| header.entry.clone());
    for (name, value) in &header.overrides {
        asked.overrides.entry(name.clone()).or_insert(*value);
    }
    let (kernel, slots, params) = match shader::compile(path, contents, &asked) {
        Ok(shader) => (Ok(shader.kernel), shader.slots, shader.params),
        Err(rejection) => (Err(rejection), Vec::new(), Arc::default()),
    };
    for run in &mut header.runs {
        run.shader = Arc::clone(&params);
        params.rename(run);
    }
    if let Ok(kernel) = &kernel {
        shader::set_domains(&mut header, kernel, options, &mut complaints);
    }
    HeadedFile { scanned, header, complaints, kernel, slots, shader: params }
}

/// A complaint that an entry of shaders stands in a `.kir` file.
fn not_in_kernels(header: &Header) -> Option<Complaint> {
    let is_of_shader =
        header.entry.is_some() || !header.overrides.is_empty() || header.runs.iter().any(|run| run.dispatch.is_some());
    is_of_shader.then(|| {
        let at = header.runs.first().map_or(FilePlace::default(), |run| run.at);
        let message = "`dispatch`, `entry` and `override` are of shaders";
        Complaint::new(at, message, "a kernel has a `domain`")
    })
}
