//! Reads the text of a kernel from a file or from standard input. It stops reading endless input.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use tilewise::ir::limits::MAX_TEXT;

use crate::console::CommandError;

/// What a file holds.
pub(crate) enum SourceContents {
    /// A kernel or WGSL.
    Text(String),
    /// SPIR-V.
    SpirV(Vec<u8>),
}

/// The first word of SPIR-V, in either order of bytes.
const SPIRV_MAGIC: [[u8; 4]; 2] = [[0x03, 0x02, 0x23, 0x07], [0x07, 0x23, 0x02, 0x03]];

/// The name of a file in messages, and its text.
pub(crate) fn read(path: &Path) -> Result<(String, String), CommandError> {
    let (name, bytes) = bytes(path)?;
    Ok((name.clone(), text(&name, bytes)?))
}

/// The name of a file in messages, and what it holds.
pub(crate) fn contents(path: &Path) -> Result<(String, SourceContents), CommandError> {
    let (name, bytes) = bytes(path)?;
    let is_spirv = SPIRV_MAGIC.iter().any(|magic| bytes.starts_with(magic));
    if is_spirv || path.extension().is_some_and(|extension| extension == "spv") {
        return Ok((name, SourceContents::SpirV(bytes)));
    }
    Ok((name.clone(), SourceContents::Text(text(&name, bytes)?)))
}

fn bytes(path: &Path) -> Result<(String, Vec<u8>), CommandError> {
    let (name, bytes) = if path.as_os_str() == "-" {
        ("<stdin>".to_owned(), bounded(&mut io::stdin().lock()))
    } else {
        (path.display().to_string(), File::open(path).and_then(|mut file| bounded(&mut file)))
    };
    let bytes = bytes.map_err(|error| trouble(&name, path, &error))?;
    if bytes.len() > MAX_TEXT {
        let help = "divide it; data belongs into views, which a program fills";
        return Err(CommandError::new(
            format!("`{name}` has more than {MAX_TEXT} bytes, which a text has at most"),
            help,
        ));
    }
    Ok((name, bytes))
}

fn text(name: &str, bytes: Vec<u8>) -> Result<String, CommandError> {
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let help = "kernels are `.kir` files, and shaders `.wgsl` files, in UTF-8; SPIR-V begins with its magic number";
        CommandError::new(format!("`{name}` is no text: byte {at} is not UTF-8"), help)
    })?;
    // Some editors begin a file with a byte order mark.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// The bytes, up to one more than the limit of a text.
fn bounded(source: &mut dyn Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source.take(MAX_TEXT as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn trouble(name: &str, path: &Path, error: &io::Error) -> CommandError {
    if path.is_dir() {
        return CommandError::new(format!("`{name}` is a folder"), "name a `.kir` file in it");
    }
    let help = match error.kind() {
        io::ErrorKind::NotFound => {
            "look at the spelling, and at the folder the command runs in; `-` reads standard input"
        }
        io::ErrorKind::PermissionDenied => "make the file readable for this user",
        _ => "name a readable `.kir` file, or `-` for standard input",
    };
    CommandError::new(format!("cannot read `{name}`: {error}"), help)
}
