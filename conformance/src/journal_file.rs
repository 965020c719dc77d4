//! A file that a long run adds lines to, so that a run which was stopped goes on from there.
//!
//! Lines are only added, so no other file is touched, and a link stays a link. One run at a time
//! has the file. A last line that is not whole is that of a run which was stopped in the middle of
//! it, and is left out.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use crate::input_file;

/// A file that is open for more lines, and locked against other runs.
#[derive(Debug)]
pub struct JournalFile {
    path: PathBuf,
    file: File,
    /// The bytes of its whole lines.
    length: u64,
}

impl JournalFile {
    /// Opens a file that begins with these words, or makes it; and the lines that it has. Nothing
    /// is added to any other file. The error is a sentence.
    pub fn open(path: &Path, begins: &str) -> Result<(JournalFile, Vec<String>), String> {
        let shown = path.display();
        let cannot_use = |error: &io::Error| format!("cannot use `{shown}`: {error}");
        // Opening a pipe would wait for somebody who reads it.
        if path.metadata().is_ok_and(|there| !there.is_file()) {
            return Err(format!("cannot use `{shown}`: it is no ordinary file"));
        }
        let file = OpenOptions::new().append(true).create(true).open(path).map_err(|error| cannot_use(&error))?;
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                return Err(format!("cannot use `{shown}`: another run is using it"));
            }
            // Some file systems have no locks: then nobody is kept from using one file twice.
            Ok(()) | Err(TryLockError::Error(_)) => {}
        }
        let text = input_file::text(path).map_err(|error| cannot_use(&error))?;
        // The first line may be the one that is not whole.
        if !text.starts_with(begins) && !begins.starts_with(&text) {
            return Err(format!("cannot use `{shown}`: it does not begin with `{}`", begins.trim_end()));
        }
        let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
        let journal = JournalFile { path: path.to_owned(), file, length: whole.len() as u64 };
        Ok((journal, whole.lines().map(str::to_owned).collect()))
    }

    /// Adds a line. The error is a sentence.
    pub fn add(&mut self, line: &str) -> Result<(), String> {
        // Cuts off what is left of a line that was not written whole.
        let cut = |file: &mut File, length| match file.metadata() {
            Ok(there) if there.len() == length => Ok(()),
            _ => file.set_len(length),
        };
        let line = format!("{line}\n");
        let added = cut(&mut self.file, self.length).and_then(|()| self.file.write_all(line.as_bytes()));
        added.map_err(|error| format!("cannot write `{}`: {error}", self.path.display()))?;
        self.length += line.len() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::process;

    use super::*;

    fn named(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("tilewise-journal-{}-{name}", process::id()));
        drop(fs::remove_file(&path));
        path
    }

    #[test]
    fn lines_are_kept_and_half_a_line_is_left_out() {
        let path = named("kept");
        let (mut journal, lines) = JournalFile::open(&path, "one").unwrap();
        assert!(lines.is_empty());
        journal.add("one").unwrap();
        drop(journal);
        fs::write(&path, "one\ntw").unwrap();
        let (mut journal, lines) = JournalFile::open(&path, "one").unwrap();
        assert_eq!(lines, ["one"]);
        // A run that only looks changes nothing.
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntw");
        journal.add("three").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\nthree\n");
        drop(journal);
        fs::write(&path, "on").unwrap();
        assert!(JournalFile::open(&path, "one").unwrap().1.is_empty());
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn files_of_something_else_are_not_touched() {
        let path = named("else");
        for text in ["my letter", "my\nletter\n", "one more letter"] {
            fs::write(&path, text).unwrap();
            let refused = JournalFile::open(&path, "one\n").unwrap_err();
            assert!(refused.ends_with("it does not begin with `one`"), "{refused}");
            assert_eq!(fs::read_to_string(&path).unwrap(), text);
        }
        fs::remove_file(path).unwrap();
    }

    #[test]
    fn one_run_at_a_time_has_it() {
        let path = named("twice");
        let (journal, _) = JournalFile::open(&path, "one").unwrap();
        assert!(JournalFile::open(&path, "one").unwrap_err().ends_with("another run is using it"));
        drop(journal);
        JournalFile::open(&path, "one").unwrap();
        fs::remove_file(path).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_stay_and_devices_and_folders_are_refused() {
        let (path, link) = (named("target"), named("link"));
        fs::write(&path, "old\n").unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let (mut journal, lines) = JournalFile::open(&link, "old").unwrap();
        assert_eq!(lines, ["old"]);
        journal.add("new").unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old\nnew\n");
        for none in ["/dev/zero", "/dev/full", "/tmp", "/no/such/folder/file"] {
            assert!(JournalFile::open(Path::new(none), "").unwrap_err().starts_with("cannot use"), "{none}");
        }
        fs::remove_file(path).unwrap();
        fs::remove_file(link).unwrap();
    }
}
