//! Files for reports and results. They are tested before the work begins, so that nobody waits for a report
//! that then cannot be written, and they are written atomically.

use std::io;
use std::path::{Path, PathBuf};

use tilewise_conformance::whole_file::OutputFile;

use crate::console::CommandError;

/// A file for a report.
#[derive(Debug)]
pub(crate) struct ReportFile {
    /// The path as the user wrote it.
    named: PathBuf,
    /// The option that named it, such as `--json`.
    option: &'static str,
    destination: OutputFile,
}

const HELP: &str = "name a file in a folder that exists and can be written";

/// Refuses a report of another version of its form than this program reads.
pub(crate) fn reads_version(path: &Path, version: u32, read: u32) -> Result<(), CommandError> {
    if version == read {
        return Ok(());
    }
    let message = format!("`{}` has version {version} of reports, and this program reads {read}", path.display());
    Err(CommandError::new(message, "write it with this program"))
}

impl ReportFile {
    /// Tests whether a report can be written to `path`, which `option` named. Changes nothing
    /// there.
    pub(crate) fn prepare(option: &'static str, path: &Path) -> Result<ReportFile, CommandError> {
        if path.as_os_str() == "-" {
            let help = "reports go to files: name one, or `./-` for one of that name";
            return Err(CommandError::new(format!("`{option} -` names no file"), help));
        }
        let destination = OutputFile::prepare(path).map_err(|error| cannot_write(path, &error))?;
        Ok(ReportFile { named: path.to_owned(), option, destination })
    }

    /// Like `prepare`, for an optional path.
    pub(crate) fn prepare_if_named(
        option: &'static str,
        path: Option<&PathBuf>,
    ) -> Result<Option<ReportFile>, CommandError> {
        path.map(|path| ReportFile::prepare(option, path)).transpose()
    }

    /// The path as the user wrote it.
    pub(crate) fn named(&self) -> &Path {
        &self.named
    }

    /// Refuses two contents for the same file, of which one would be lost.
    pub(crate) fn differs_from(&self, other: &ReportFile) -> Result<(), CommandError> {
        match (self.destination.path(), other.destination.path()) {
            (Some(path), Some(same)) if path == same => Err(CommandError::new(
                if self.option == other.option {
                    format!("`{}` writes to `{}` twice", self.option, path.display())
                } else {
                    format!("`{}` and `{}` both write to `{}`", self.option, other.option, path.display())
                },
                "name two files",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses to write over a file that the command reads, or whose progress it keeps.
    pub(crate) fn spares(&self, read: &Path) -> Result<(), CommandError> {
        match (self.destination.path(), without_links(read)) {
            (Some(path), Some(same)) if path == same => Err(CommandError::new(
                format!("`{}` would replace `{}`, which this command reads", self.option, read.display()),
                "name another file",
            )),
            _ => Ok(()),
        }
    }

    /// Writes the report.
    pub(crate) fn write(self, content: impl AsRef<[u8]>) -> Result<(), CommandError> {
        self.destination.write(content.as_ref()).map_err(|error| cannot_write(&self.named, &error))
    }
}

/// A file without symbolic links, also one that does not exist yet.
fn without_links(path: &Path) -> Option<PathBuf> {
    if let Ok(found) = path.canonicalize() {
        return Some(found);
    }
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Some(folder.canonicalize().ok()?.join(path.file_name()?))
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::IsADirectory {
        return CommandError::new(format!("cannot write `{}`: it is a folder", path.display()), "name a file in it");
    }
    CommandError::new(format!("cannot write `{}`: {error}", path.display()), HELP)
}
