//! What became of a corpus, as data: lines from process to process, and the report for programs.

use serde::{Deserialize, Serialize};
use tilewise_conformance::shader_corpus::{EntryReport, EntryVerdict};

/// Version of the report's form: a change of a field's meaning increments it.
const SCHEMA: u32 = 1;

/// The report for programs.
#[derive(Serialize)]
pub(super) struct CorpusJson<'a> {
    schema: u32,
    tilewise: &'static str,
    /// Entry points by verdict; a file that was not read because of something else than its text counts as one.
    total: Vec<(String, usize)>,
    files: &'a [CorpusFile],
}

impl CorpusJson<'_> {
    pub(super) fn new(files: &[CorpusFile]) -> CorpusJson<'_> {
        let total = super::table::totals(files);
        let total = total.into_iter().map(|(verdict, count)| (verdict.to_owned(), count)).collect();
        CorpusJson { schema: SCHEMA, tilewise: env!("CARGO_PKG_VERSION"), total, files }
    }
}

/// A file.
#[derive(Clone, Serialize)]
pub(super) struct CorpusFile {
    pub(super) name: String,
    /// Of its bytes.
    pub(super) hash: String,
    /// The file with the same bytes that was judged in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) same_as: Option<String>,
    /// [`CRASHED`] or [`TIMED_OUT`] if that happened while it was read, or [`NOT_READ`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) verdict: Option<&'static str>,
    /// Why none of its entry points could be judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<String>,
    pub(super) entries: Vec<CorpusEntry>,
}

impl CorpusFile {
    /// A file, with the reason if none of its entry points could be judged.
    pub(super) fn new(name: String, hash: String, unread: Option<UnreadFile>, entries: Vec<CorpusEntry>) -> CorpusFile {
        let verdict = unread.as_ref().and_then(|unread| unread.verdict);
        CorpusFile { name, hash, same_as: None, verdict, error: unread.map(|unread| unread.reason), entries }
    }

    pub(super) fn unreadable(name: String, reason: String) -> CorpusFile {
        CorpusFile::new(name, String::new(), Some(UnreadFile { verdict: Some(NOT_READ), reason }), Vec::new())
    }

    pub(super) fn same_as(name: String, hash: u64, other: String) -> CorpusFile {
        CorpusFile { same_as: Some(other), ..CorpusFile::new(name, format!("{hash:016x}"), None, Vec::new()) }
    }

    /// Is something of Tilewise wrong, or could the file not be looked at?
    pub(super) fn is_failure(&self) -> bool {
        self.verdict.is_some() || self.entries.iter().any(CorpusEntry::is_failure)
    }
}

/// Why no entry point of a file could be judged.
pub(super) struct UnreadFile {
    /// Nothing for a file that is refused as no shader.
    pub(super) verdict: Option<&'static str>,
    pub(super) reason: String,
}

/// An entry point.
#[derive(Clone, Serialize, Deserialize)]
pub(super) struct CorpusEntry {
    pub(super) entry: String,
    /// An [`EntryVerdict`], or [`CRASHED`] or [`TIMED_OUT`].
    pub(super) verdict: String,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(super) reason: String,
    /// Refusals: message and line.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) refusals: Vec<(String, u32)>,
    /// Codes that the checks report.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) findings: Vec<String>,
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub(super) inputs: String,
    pub(super) instructions: u64,
    /// Targets that were compared with the reference accelerator.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub(super) compared: Vec<String>,
}

/// The verdict of an entry point whose process ended by itself.
pub(super) const CRASHED: &str = "crashed";
/// The verdict of an entry point that took too long.
pub(super) const TIMED_OUT: &str = "timed-out";
/// The verdict of a file that cannot be read, or whose process cannot be started.
pub(super) const NOT_READ: &str = "not-read";

impl CorpusEntry {
    pub(super) fn ended(entry: String, verdict: &str, reason: String) -> CorpusEntry {
        let verdict = verdict.to_owned();
        CorpusEntry {
            entry,
            verdict,
            reason,
            refusals: Vec::new(),
            findings: Vec::new(),
            inputs: String::new(),
            instructions: 0,
            compared: Vec::new(),
        }
    }

    /// Did its process not tell what became of it?
    pub(super) fn ended_early(&self) -> bool {
        self.verdict == CRASHED || self.verdict == TIMED_OUT
    }

    /// Is something of Tilewise wrong, or not as a script expects it?
    pub(super) fn is_failure(&self) -> bool {
        let bad = [CRASHED, EntryVerdict::Disagreed.name(), EntryVerdict::NotAsExpected.name()];
        bad.contains(&self.verdict.as_str())
    }
}

impl From<EntryReport> for CorpusEntry {
    fn from(report: EntryReport) -> CorpusEntry {
        let EntryReport { entry, verdict, reason, refusals, findings, inputs, instructions, compared } = report;
        let (verdict, compared) = (verdict.name().to_owned(), compared.iter().map(ToString::to_string).collect());
        CorpusEntry { entry, verdict, reason, refusals, findings, inputs, instructions, compared }
    }
}

/// A line from a child to its parent.
#[derive(Serialize, Deserialize)]
pub(super) enum ChildLine {
    /// The file cannot be read as a shader.
    Unreadable(String),
    /// The names of its entry points.
    Entries(Vec<String>),
    /// What became of the next one.
    Judged(CorpusEntry),
}
