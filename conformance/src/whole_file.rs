//! Atomic replacement of files: at each moment, also if the process ends in the middle, a file has
//! either its old content or all of the new.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};

/// Replaces the file at `path`, or makes it, with this content: writes a file beside it and renames
/// that. It keeps the permissions of the old file. It replaces `path` itself, not the target of a
/// symbolic link there.
pub fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
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
}
