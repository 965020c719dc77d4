//! How much a sweep runs, and the file from which a long run continues.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::journal_file::JournalFile;
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

/// The progress of a long run, kept in a file: lines with a cell, a target and the number of parts
/// that passed, of which the last for a cell and target counts. A file that does not exist is an
/// empty one.
#[derive(Debug)]
pub struct ResumeFile {
    progress: Mutex<SweepProgress>,
}

/// What is in a file of progress.
#[derive(Debug)]
struct SweepProgress {
    parts: BTreeMap<String, u64>,
    journal: JournalFile,
}

impl ResumeFile {
    /// Reads a file of progress, or makes it. The error is a sentence.
    pub fn open(path: &Path) -> Result<ResumeFile, String> {
        let shown = path.display();
        let (mut journal, lines) = JournalFile::open(path, &format!("{HEAD}\n"))?;
        if lines.is_empty() {
            journal.add(HEAD)?;
        }
        let entry = |line: &str| {
            let (key, parts) = line.rsplit_once(' ')?;
            let parts = if parts == "finished" { FINISHED } else { parts.parse().ok()? };
            Some((key.to_owned(), parts))
        };
        let mut parts = BTreeMap::new();
        for (number, line) in (1..).zip(&lines).skip(1) {
            let Some((key, done)) = entry(line) else {
                return Err(format!("`{shown}`, line {number}: `{line}` is no entry"));
            };
            parts.insert(key, done);
        }
        Ok(ResumeFile { progress: Mutex::new(SweepProgress { parts, journal }) })
    }

    /// The number of parts that passed.
    pub(super) fn parts(&self, key: &str) -> u64 {
        self.progress.lock().unwrap_or_else(PoisonError::into_inner).parts.get(key).copied().unwrap_or(0)
    }

    /// Has the cell passed?
    pub(super) fn is_finished(&self, key: &str) -> bool {
        self.parts(key) == FINISHED
    }

    /// Notes the number of parts that passed. The error is a sentence.
    pub(super) fn note(&self, key: &str, parts: u64) -> Result<(), String> {
        let mut progress = self.progress.lock().unwrap_or_else(PoisonError::into_inner);
        progress.parts.insert(key.to_owned(), parts);
        match parts {
            FINISHED => progress.journal.add(&format!("{key} finished")),
            parts => progress.journal.add(&format!("{key} {parts}")),
        }
    }

    /// Notes that the cell has passed. The error is a sentence.
    pub(super) fn finish(&self, key: &str) -> Result<(), String> {
        self.note(key, FINISHED)
    }
}
