//! Atomic replacement of files: at each moment, also if the process ends in the middle, a file has
//! either its old content or all of the new.
//!
//! What a person names need not be a file: behind a symbolic link its target is replaced, and the
//! link stays; pipes and devices are written into.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Writes to what `path` names: replaces a file, or makes it, and writes into anything else.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    OutputFile::prepare(path)?.write(content)
}

/// The way to write to what a path names, found out before there is something to write.
#[derive(Debug)]
pub enum OutputFile {
    /// Atomically, in the place of an existing file. The path has no symbolic links.
    Replace(PathBuf),
    /// Over an existing file: its folder accepts no other file.
    Overwrite(PathBuf),
    /// Into a pipe or a device. It stays open from the beginning: a pipe whose last writer closes
    /// it ends for its reader.
    Stream(File),
}

impl OutputFile {
    /// Tests whether `path` can be written. Changes nothing there.
    pub fn prepare(path: &Path) -> io::Result<OutputFile> {
        let there = match fs::metadata(path) {
            Ok(there) => there,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return OutputFile::prepare_new(path),
            Err(error) => return Err(error),
        };
        if there.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        // A read-only file is not replaced either.
        let stream = OpenOptions::new().append(true).open(path)?;
        if !there.is_file() {
            return Ok(OutputFile::Stream(stream));
        }
        let path = fs::canonicalize(path)?;
        match probe_folder(folder_of(&path)) {
            Ok(()) => Ok(OutputFile::Replace(path)),
            Err(_) => Ok(OutputFile::Overwrite(path)),
        }
    }

    /// The way to a file that does not exist yet.
    fn prepare_new(path: &Path) -> io::Result<OutputFile> {
        // A dangling symbolic link: the file is made at its target.
        if let Ok(target) = fs::read_link(path) {
            let target = folder_of(path).join(target);
            // Cyclic links were reported by the first lookup.
            return OutputFile::prepare(&target);
        }
        let ends_in_separator = path.as_os_str().as_encoded_bytes().last().is_some_and(|last| *last == b'/');
        let Some(name) = path.file_name().filter(|_| !ends_in_separator) else {
            return Err(io::ErrorKind::NotFound.into());
        };
        let folder = fs::canonicalize(folder_of(path))?;
        probe_folder(&folder)?;
        Ok(OutputFile::Replace(folder.join(name)))
    }

    /// The file, without symbolic links; none of a pipe or a device.
    pub fn path(&self) -> Option<&Path> {
        match self {
            OutputFile::Replace(path) | OutputFile::Overwrite(path) => Some(path),
            OutputFile::Stream(_) => None,
        }
    }

    /// Writes all of the content.
    pub fn write(self, content: &[u8]) -> io::Result<()> {
        match self {
            OutputFile::Replace(path) => replace_file(&path, content),
            OutputFile::Overwrite(path) => fs::write(path, content),
            OutputFile::Stream(mut file) => file.write_all(content).and_then(|()| file.flush()),
        }
    }
}

/// Writes a file beside `path`, and renames that. It keeps the permissions of the old file.
fn replace_file(path: &Path, content: &[u8]) -> io::Result<()> {
    let (mut file, beside) = new_file_in(folder_of(path))?;
    let replaced = file
        .write_all(content)
        .and_then(|()| match fs::metadata(path) {
            Ok(old) => file.set_permissions(old.permissions()),
            Err(_) => Ok(()),
        })
        .and_then(|()| fs::rename(&beside, path));
    if replaced.is_err() {
        // A file that cannot be removed does no harm; the first error is the one to report.
        drop(fs::remove_file(&beside));
    }
    replaced
}

/// Tests whether files can be made in this folder, by making and removing one.
pub fn probe_folder(folder: &Path) -> io::Result<()> {
    let (_, path) = new_file_in(folder)?;
    fs::remove_file(path)
}

/// The folder of a path.
pub fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// A new, empty file and its path.
fn new_file_in(folder: &Path) -> io::Result<(File, PathBuf)> {
    static NUMBERS: AtomicU64 = AtomicU64::new(0);
    loop {
        let number = NUMBERS.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!(".tilewise-{}-{number}.tmp", process::id()));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            // Left over by a process that had the same id.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            opened => return opened.map(|file| (file, path)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty folder for one test.
    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("tilewise-whole-file-{}-{name}", process::id()));
        drop(fs::remove_dir_all(&folder));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.collect()
    }

    #[test]
    fn a_file_is_made_and_replaced_and_nothing_is_left_beside_it() {
        let folder = folder("made");
        let path = folder.join("a.txt");
        for content in ["long ago", "now"] {
            replace(&path, content.as_bytes()).unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
        probe_folder(&folder).unwrap();
        assert_eq!(names(&folder), ["a.txt"]);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn what_cannot_be_replaced_leaves_nothing_beside_it() {
        let folder = folder("taken");
        let taken = folder.join("a.txt");
        fs::create_dir(&taken).unwrap();
        assert!(replace(&taken, b"x").is_err());
        assert_eq!(names(&folder), ["a.txt"]);
        assert!(replace(&folder.join("no/such/file"), b"x").is_err());
        assert!(probe_folder(&folder.join("no")).is_err());
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn permissions_stay() {
        use std::os::unix::fs::PermissionsExt as _;

        let folder = folder("permissions");
        let path = folder.join("a.txt");
        fs::write(&path, "x").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        replace(&path, b"y").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        fs::remove_dir_all(folder).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_what_is_no_file_is_written_into() {
        let folder = folder("links");
        let (target, link, dangling) = (folder.join("target"), folder.join("link"), folder.join("dangling"));
        fs::write(&target, "old").unwrap();
        std::os::unix::fs::symlink(&target, &link).unwrap();
        std::os::unix::fs::symlink("made", &dangling).unwrap();
        replace(&link, b"new").unwrap();
        replace(&dangling, b"new").unwrap();
        for (link, target) in [(&link, &target), (&dangling, &folder.join("made"))] {
            assert!(fs::symlink_metadata(link).unwrap().is_symlink());
            assert_eq!(fs::read(target).unwrap(), b"new");
        }
        let full = folder.join("full");
        std::os::unix::fs::symlink("/dev/full", &full).unwrap();
        assert_eq!(replace(&full, b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
        assert!(fs::symlink_metadata(&full).unwrap().is_symlink());
        fs::remove_dir_all(folder).unwrap();
    }
}
