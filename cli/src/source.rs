//! Reads the text of a kernel from a file or from standard input.

use std::io::{self, Read as _};
use std::path::Path;

use crate::console::Trouble;

/// The name that messages give a file, and its text.
pub(crate) fn read(path: &Path) -> Result<(String, String), Trouble> {
    let (name, bytes) = if path.as_os_str() == "-" {
        let mut bytes = Vec::new();
        let read = io::stdin().lock().read_to_end(&mut bytes);
        ("<stdin>".to_owned(), read.map(|_| bytes))
    } else {
        (path.display().to_string(), std::fs::read(path))
    };
    let bytes = bytes.map_err(|error| trouble(&name, path, &error))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Trouble::new(format!("`{name}` is no text: byte {at} is not UTF-8"), "kernels are `.kir` files in UTF-8")
    })?;
    Ok((name, text))
}

fn trouble(name: &str, path: &Path, error: &io::Error) -> Trouble {
    if path.is_dir() {
        return Trouble::new(format!("`{name}` is a folder"), "name a `.kir` file in it");
    }
    let help = match error.kind() {
        io::ErrorKind::NotFound => {
            "look at the spelling, and at the folder the command runs in; `-` reads standard input"
        }
        io::ErrorKind::PermissionDenied => "make the file readable for this user",
        _ => "name a readable `.kir` file, or `-` for standard input",
    };
    Trouble::new(format!("cannot read `{name}`: {error}"), help)
}
