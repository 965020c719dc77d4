//! How much a sweep runs, and the file from which a long run continues.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::{fs, io};

use crate::tolerance::Tolerance;

/// How many operands each cell is tried on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum SweepLevel {
    /// Edge values and 2^10 random tuples per cell: a minute for all cells.
    #[default]
    Quick,
    /// 2^20 random tuples per row, spread over its cells, and every variant of every target: minutes.
    Std,
    /// The same, all small operands, and all 2^32 operands of rows of one `f32` on `jit`: hours.
    Full,
}

impl SweepLevel {
    /// All levels, the shortest first.
    pub const ALL: [SweepLevel; 3] = [SweepLevel::Quick, SweepLevel::Std, SweepLevel::Full];

    /// The name on command lines.
    pub const fn name(self) -> &'static str {
        match self {
            SweepLevel::Quick => "quick",
            SweepLevel::Std => "std",
            SweepLevel::Full => "full",
        }
    }

    /// The level called `name`.
    pub fn by_name(name: &str) -> Option<SweepLevel> {
        SweepLevel::ALL.into_iter().find(|level| level.name() == name)
    }
}

/// What a run of cells has beside its cells.
#[derive(Clone, Copy)]
pub struct SweepRun<'a> {
    /// The file that keeps the progress of a long run.
    pub resume: Option<&'a ResumeFile>,
    /// Is called with a few words about the progress of a long cell.
    pub progress: &'a (dyn Fn(&str) + Sync),
    /// By how much floats may differ, also in file tests.
    pub tolerance: Tolerance,
}

impl SweepRun<'_> {
    /// A run without a file, a listener and a tolerance.
    pub const PLAIN: SweepRun<'static> = SweepRun { resume: None, progress: &|_| {}, tolerance: Tolerance::NONE };
}

/// The first line of a file of progress: another form is refused.
const HEAD: &str = "tilewise sweep, form 1";

/// The number of parts that stands for a finished cell.
const FINISHED: u64 = u64::MAX;

/// The progress of a long run, kept in a file: a line for each cell and target, with the number of
/// parts that passed. A file that does not exist is an empty one.
#[derive(Debug)]
pub struct ResumeFile {
    path: PathBuf,
    parts: Mutex<BTreeMap<String, u64>>,
}

impl ResumeFile {
    /// Reads a file of progress. The error is a sentence.
    pub fn open(path: &Path) -> Result<ResumeFile, String> {
        let text = match fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => format!("{HEAD}\n"),
            Err(error) => return Err(format!("cannot read `{}`: {error}", path.display())),
        };
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(format!(
                "`{}` is no file of a sweep's progress: its first line is not `{HEAD}`",
                path.display()
            ));
        }
        let entry = |line: &str| {
            let (key, parts) = line.rsplit_once(' ')?;
            let parts = if parts == "finished" { FINISHED } else { parts.parse().ok()? };
            Some((key.to_owned(), parts))
        };
        let mut parts = BTreeMap::new();
        for (number, line) in lines.enumerate() {
            let Some((key, done)) = entry(line) else {
                return Err(format!("`{}`, line {}: `{line}` is no entry", path.display(), number + 2));
            };
            parts.insert(key, done);
        }
        Ok(ResumeFile { path: path.to_owned(), parts: Mutex::new(parts) })
    }

    /// The number of parts that passed.
    pub(super) fn parts(&self, key: &str) -> u64 {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied().unwrap_or(0)
    }

    /// Has the cell passed?
    pub(super) fn is_finished(&self, key: &str) -> bool {
        self.parts(key) == FINISHED
    }

    /// Notes the number of parts that passed. The error is a sentence.
    pub(super) fn note(&self, key: &str, parts: u64) -> Result<(), String> {
        let mut all = self.parts.lock().unwrap_or_else(PoisonError::into_inner);
        all.insert(key.to_owned(), parts);
        let mut text = format!("{HEAD}\n");
        for (key, &parts) in all.iter() {
            // Writing to a `String` cannot fail.
            let _ = match parts {
                FINISHED => writeln!(text, "{key} finished"),
                parts => writeln!(text, "{key} {parts}"),
            };
        }
        // Another file first: one that is only half written would lose all progress.
        let new = self.path.with_extension("new");
        let written = fs::write(&new, text).and_then(|()| fs::rename(&new, &self.path));
        written.map_err(|error| format!("cannot write `{}`: {error}", self.path.display()))
    }

    /// Notes that the cell has passed. The error is a sentence.
    pub(super) fn finish(&self, key: &str) -> Result<(), String> {
        self.note(key, FINISHED)
    }
}
