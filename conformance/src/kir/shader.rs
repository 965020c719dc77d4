//! Shaders as test files: WGSL whose `//!` lines say how to launch it, and SPIR-V, which has no text. The
//! crate `tilewise-header` imports them.

pub use tilewise_header::shader::{
    CheckedShader, ShaderContents, ShaderOptions, ShaderParams, ShaderSlot, compile, domain, is_shader,
};

use super::case::File;

/// Parses a shader and its header.
pub fn read(path: &str, contents: ShaderContents<'_>, options: &ShaderOptions) -> File {
    File::of(tilewise_header::file::read_shader(path, contents, options))
}
