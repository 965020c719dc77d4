//! `tilewise check`: parses and checks files, and prints every diagnostic.

use std::path::PathBuf;

use tilewise_conformance::kir::case;

use crate::console::{CommandError, Console};
use crate::source;

/// Checks the files; true if all are accepted.
pub(crate) fn check(files: &[PathBuf], console: &mut Console) -> Result<bool, CommandError> {
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(CommandError::new(
            "standard input is named twice",
            "it can be read once; `./-` is a file of that name",
        ));
    }
    let mut errors = 0;
    let mut unreadable = None;
    for file in files {
        let (name, text) = match source::read(file) {
            Ok(read) => read,
            Err(trouble) => {
                // The other files are still checked; the last unreadable one decides the exit code.
                if let Some(before) = unreadable.replace(trouble) {
                    console.complain(&before);
                }
                continue;
            }
        };
        if let Err(rejection) = case::compile(&name, &text) {
            errors += rejection.diagnostics.len();
            console.text(rejection.render(console.colour()));
            console.line("");
        }
    }
    if let Some(trouble) = unreadable {
        return Err(trouble);
    }
    match (errors, files.len()) {
        (0, 1) => console.line("1 file checked, no errors"),
        (0, n) => console.line(format_args!("{n} files checked, no errors")),
        (1, _) => console.line("1 error"),
        (n, _) => console.line(format_args!("{n} errors")),
    }
    Ok(errors == 0)
}
