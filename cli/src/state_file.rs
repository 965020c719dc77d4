//! A state that a long run keeps by writing it anew: that the file can be written is known before the run begins,
//! and one run at a time has it.

use std::ffi::OsString;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use tilewise_conformance::whole_file::{self, OutputFile};

use crate::console::CommandError;

/// A state file of this run. A file beside it, which is there as long as the run is, keeps others away: the state
/// itself is replaced by each write.
pub(crate) struct StateFile {
    path: PathBuf,
    lock: Option<(PathBuf, File)>,
}

impl StateFile {
    /// Takes a file, which need not exist yet.
    pub(crate) fn take(path: &Path) -> Result<StateFile, CommandError> {
        let shown = path.display();
        OutputFile::prepare(path).map_err(|error| {
            let help = "name a file in a folder that exists and can be written";
            CommandError::new(format!("the state `{shown}` cannot be written: {error}"), help)
        })?;
        let mut name = OsString::from(path);
        name.push(".lock");
        // Where none can be made, nobody is kept from using one file twice.
        let Ok(file) = OpenOptions::new().append(true).create(true).open(&name) else {
            return Ok(StateFile { path: path.to_owned(), lock: None });
        };
        match file.try_lock() {
            Err(TryLockError::WouldBlock) => {
                let message = format!("another run is using the state `{shown}`");
                Err(CommandError::new(message, "wait until it has ended, or name another file"))
            }
            // Some file systems have no locks.
            Ok(()) | Err(TryLockError::Error(_)) => {
                Ok(StateFile { path: path.to_owned(), lock: Some((PathBuf::from(name), file)) })
            }
        }
    }

    /// Writes the state.
    pub(crate) fn keep(&self, text: &str) -> Result<(), CommandError> {
        whole_file::replace(&self.path, text.as_bytes()).map_err(|error| {
            let message = format!("`{}` cannot be written: {error}", self.path.display());
            CommandError::new(message, "name another file")
        })
    }
}

impl Drop for StateFile {
    fn drop(&mut self) {
        if let Some((path, file)) = self.lock.take() {
            // One that stays does no harm: it is locked no longer.
            drop(std::fs::remove_file(path));
            drop(file);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_writable_and_of_one_run_at_a_time() {
        let path = std::env::temp_dir().join(format!("tilewise-state-file-{}.json", std::process::id()));
        let state = StateFile::take(&path).unwrap_or_else(|error| panic!("{}", error.message));
        state.keep("[]").unwrap_or_else(|error| panic!("{}", error.message));
        let other = StateFile::take(&path).err().map(|error| error.message).unwrap_or_default();
        assert!(other.starts_with("another run is using the state"), "{other}");
        drop(state);
        drop(StateFile::take(&path).unwrap_or_else(|error| panic!("{}", error.message)));
        assert_eq!(std::fs::read_to_string(&path).expect("it was written"), "[]");
        std::fs::remove_file(&path).expect("it can be removed");
        let none = StateFile::take(Path::new("/no/such/folder/s.json")).err().map(|error| error.message);
        assert!(none.is_some_and(|message| message.contains("cannot be written")));
    }
}
