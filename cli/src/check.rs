//! `tilewise check`: parses and checks files, and prints every error and warning.

use std::path::PathBuf;

use tilewise::ir::diag::render;

use crate::console::{CommandError, Console, Paint};
use crate::excerpt::HeaderExcerpt;
use crate::shader::ShaderArgs;

/// Checks the files; true if all are accepted. `deny_warnings`: a file with warnings is not.
pub(crate) fn check(
    files: &[PathBuf],
    deny_warnings: bool,
    shader: &ShaderArgs,
    console: &mut Console,
) -> Result<bool, CommandError> {
    if files.iter().filter(|file| file.as_os_str() == "-").count() > 1 {
        return Err(CommandError::new(
            "standard input is named twice",
            "it can be read once; `./-` is a file of that name",
        ));
    }
    let (mut errors, mut warnings) = (0, 0);
    let mut unreadable = None;
    for file in files {
        #[cfg(feature = "import")]
        if crate::amber::is_script(&file.to_string_lossy()) {
            match crate::amber::check(file, shader, console) {
                Ok(Some(more)) => warnings += more,
                Ok(None) => errors += 1,
                Err(trouble) => {
                    if let Some(before) = unreadable.replace(trouble) {
                        console.complain(&before);
                    }
                }
            }
            continue;
        }
        let read = match shader.read(file) {
            Ok(read) => read,
            Err(trouble) => {
                // The other files are still checked; the last unreadable one decides the exit code.
                if let Some(before) = unreadable.replace(trouble) {
                    console.complain(&before);
                }
                continue;
            }
        };
        match &read.file.kernel {
            Ok(checked) if checked.warnings().is_empty() => {}
            Ok(checked) => {
                warnings += checked.warnings().len();
                console.text(render(checked.warnings(), checked.sources(), console.colour()));
                console.line("");
            }
            Err(rejection) => {
                errors += rejection.diagnostics.len();
                console.text(rejection.render(console.colour()));
                console.line("");
            }
        }
        // `run` and `verify` refuse a file for these.
        for complaint in &read.file.complaints {
            errors += 1;
            let title = console.paint("error:", Paint::Red);
            console.line(format_args!("{title} {}", complaint.message));
            let excerpt = HeaderExcerpt::new(&read.name, &read.text, complaint.at);
            console.text(excerpt.render(Some(&complaint.help)));
            console.line("");
        }
    }
    if let Some(trouble) = unreadable {
        return Err(trouble);
    }
    let counted = |n: usize, word: &str| format!("{n} {word}{}", if n == 1 { "" } else { "s" });
    let also = if warnings == 0 { String::new() } else { format!(", {}", counted(warnings, "warning")) };
    match errors {
        0 => console.line(format_args!("{} checked, no errors{also}", counted(files.len(), "file"))),
        n => console.line(format_args!("{}{also}", counted(n, "error"))),
    }
    Ok(errors == 0 && !(deny_warnings && warnings > 0))
}
