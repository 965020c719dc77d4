//! Files for reports. They are tested before the work begins, so that nobody waits for a report
//! that then cannot be written, and they are written atomically.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tilewise_conformance::whole_file;

use crate::console::CommandError;

/// A file for a report.
#[derive(Debug)]
pub(crate) struct ReportFile {
    /// The path as the user wrote it.
    named: PathBuf,
    /// The option that named it, such as `--json`.
    option: &'static str,
    destination: Destination,
}

/// The way to write a report.
#[derive(Debug)]
enum Destination {
    /// Atomically, in the place of an existing file. The path has no symbolic links.
    Replace(PathBuf),
    /// Over an existing file: its folder accepts no other file.
    Overwrite(PathBuf),
    /// Into a pipe or a device. It stays open from the beginning: a pipe whose last writer closes
    /// it ends for its reader.
    Stream(File),
}

const HELP: &str = "name a file in a folder that exists and can be written";

impl ReportFile {
    /// Tests whether a report can be written to `path`, which `option` named. Changes nothing
    /// there.
    pub(crate) fn prepare(option: &'static str, path: &Path) -> Result<ReportFile, CommandError> {
        if path.as_os_str() == "-" {
            let help = "reports go to files: name one, or `./-` for one of that name";
            return Err(CommandError::new(format!("`{option} -` names no file"), help));
        }
        let destination = destination(path).map_err(|error| cannot_write(path, &error))?;
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

    /// Refuses two reports with the same file, of which one would be lost.
    pub(crate) fn differs_from(&self, other: &ReportFile) -> Result<(), CommandError> {
        match (self.destination.path(), other.destination.path()) {
            (Some(path), Some(same)) if path == same => Err(CommandError::new(
                format!("`{}` and `{}` both write to `{}`", self.option, other.option, path.display()),
                "name two files",
            )),
            _ => Ok(()),
        }
    }

    /// Writes the report.
    pub(crate) fn write(self, text: &str) -> Result<(), CommandError> {
        let written = match self.destination {
            Destination::Replace(path) => whole_file::replace(&path, text.as_bytes()),
            Destination::Overwrite(path) => fs::write(path, text),
            Destination::Stream(mut file) => file.write_all(text.as_bytes()).and_then(|()| file.flush()),
        };
        written.map_err(|error| cannot_write(&self.named, &error))
    }
}

impl Destination {
    fn path(&self) -> Option<&Path> {
        match self {
            Destination::Replace(path) | Destination::Overwrite(path) => Some(path),
            Destination::Stream(_) => None,
        }
    }
}

fn destination(path: &Path) -> io::Result<Destination> {
    let there = match fs::metadata(path) {
        Ok(there) => there,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return new_destination(path),
        Err(error) => return Err(error),
    };
    if there.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    // A read-only file is not replaced either.
    let stream = OpenOptions::new().append(true).open(path)?;
    if !there.is_file() {
        return Ok(Destination::Stream(stream));
    }
    let path = fs::canonicalize(path)?;
    match whole_file::probe_folder(whole_file::folder_of(&path)) {
        Ok(()) => Ok(Destination::Replace(path)),
        Err(_) => Ok(Destination::Overwrite(path)),
    }
}

/// The destination of a file that does not exist yet.
fn new_destination(path: &Path) -> io::Result<Destination> {
    // A dangling symbolic link: the file is made at its target.
    if let Ok(target) = fs::read_link(path) {
        let target = whole_file::folder_of(path).join(target);
        // Cyclic links were reported by the first lookup.
        return destination(&target);
    }
    let ends_in_separator = path.as_os_str().as_encoded_bytes().last().is_some_and(|last| *last == b'/');
    let Some(name) = path.file_name().filter(|_| !ends_in_separator) else {
        return Err(io::ErrorKind::NotFound.into());
    };
    let folder = fs::canonicalize(whole_file::folder_of(path))?;
    whole_file::probe_folder(&folder)?;
    Ok(Destination::Replace(folder.join(name)))
}

fn cannot_write(path: &Path, error: &io::Error) -> CommandError {
    if error.kind() == io::ErrorKind::IsADirectory {
        return CommandError::new(format!("cannot write `{}`: it is a folder", path.display()), "name a file in it");
    }
    CommandError::new(format!("cannot write `{}`: {error}", path.display()), HELP)
}
