//! What became of a corpus, as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tilewise_conformance::shader_corpus::EntryVerdict;

use super::record::{CRASHED, CorpusFile, NOT_READ, TIMED_OUT};
use crate::console::{Console, Paint};

/// The maximum number of rows of a list.
const LISTED: usize = 20;

/// Every verdict, from the worst to the best.
fn verdicts() -> impl Iterator<Item = &'static str> {
    [CRASHED, TIMED_OUT, NOT_READ].into_iter().chain(EntryVerdict::ALL.map(EntryVerdict::name))
}

/// The number of entry points of each verdict, and of files that have one themselves.
pub(super) fn totals(files: &[CorpusFile]) -> Vec<(&'static str, usize)> {
    let all = || files.iter().flat_map(|file| file.verdict.into_iter().chain(verdicts_of(file)));
    verdicts().map(|verdict| (verdict, all().filter(|of| *of == verdict).count())).collect()
}

fn verdicts_of(file: &CorpusFile) -> impl Iterator<Item = &str> {
    file.entries.iter().map(|entry| entry.verdict.as_str())
}

/// The table.
pub(super) fn table(files: &[CorpusFile], console: &Console) -> String {
    let mut out = String::new();
    let unreadable: Vec<&CorpusFile> = files.iter().filter(|file| file.error.is_some()).collect();
    let repeated = files.iter().filter(|file| file.same_as.is_some()).count();
    // Writing to a text never fails.
    _ = writeln!(out, "{} files: {} not read as shaders, {repeated} repeated", files.len(), unreadable.len());
    let total: usize = files.iter().map(|file| file.entries.len()).sum();
    let counts = totals(files);
    let rows: usize = counts.iter().map(|&(_, count)| count).sum();
    for (verdict, count) in counts {
        if count > 0 {
            let share = 100.0 * count as f64 / rows as f64;
            _ = writeln!(out, "{count:>7} {share:>5.1} %  {}", painted(verdict, console));
        }
    }
    _ = writeln!(out, "{total:>7} entry points");
    refusals(files, &mut out);
    findings(files, &mut out);
    failures(files, console, &mut out);
    // Those with a verdict stand among the failures.
    let refused: Vec<&CorpusFile> = unreadable.into_iter().filter(|file| file.verdict.is_none()).collect();
    if !refused.is_empty() {
        _ = writeln!(out, "not read:");
        for file in refused.iter().take(LISTED) {
            _ = writeln!(out, "  {}: {}", file.name, file.error.as_deref().unwrap_or_default());
        }
        more(refused.len(), &mut out);
    }
    out
}

fn painted(verdict: &str, console: &Console) -> String {
    let is_good = EntryVerdict::ALL.iter().any(|known| known.name() == verdict && known.is_agreement());
    console.paint(verdict, if is_good { Paint::Green } else { Paint::Yellow })
}

/// Refusals by their message: the number of entry points that have it.
fn refusals(files: &[CorpusFile], out: &mut String) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in files.iter().flat_map(|file| &file.entries) {
        let mut messages: Vec<&str> = entry.refusals.iter().map(|(message, _)| message.as_str()).collect();
        messages.sort_unstable();
        messages.dedup();
        messages.into_iter().for_each(|message| *counts.entry(message).or_default() += 1);
    }
    counted("refused", counts, out);
}

/// Findings of the checks by their code.
fn findings(files: &[CorpusFile], out: &mut String) {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for entry in files.iter().flat_map(|file| &file.entries) {
        entry.findings.iter().for_each(|code| *counts.entry(code).or_default() += 1);
    }
    counted("found in shaders", counts, out);
}

fn counted(title: &str, counts: BTreeMap<&str, usize>, out: &mut String) {
    let mut rows: Vec<(&str, usize)> = counts.into_iter().collect();
    rows.sort_by_key(|&(text, count)| (std::cmp::Reverse(count), text));
    if rows.is_empty() {
        return;
    }
    _ = writeln!(out, "{title}:");
    for (text, count) in rows.iter().take(LISTED) {
        _ = writeln!(out, "{count:>7} {text}");
    }
    more(rows.len(), out);
}

/// The files that could not be read, and the entry points that did not come to an agreement, with the reason.
fn failures(files: &[CorpusFile], console: &Console, out: &mut String) {
    let bad = |verdict: &str| {
        let is_refusal = verdict == EntryVerdict::NotImported.name();
        let is_good = EntryVerdict::ALL.iter().any(|known| known.name() == verdict && known.is_agreement());
        !is_refusal && !is_good
    };
    let mut rows = Vec::new();
    for file in files {
        if let Some(verdict) = file.verdict {
            let verdict = console.paint(verdict, Paint::Red);
            rows.push(format!("{verdict}: {}: {}", file.name, file.error.as_deref().unwrap_or_default()));
        }
        for entry in file.entries.iter().filter(|entry| bad(&entry.verdict)) {
            let verdict = console.paint(&entry.verdict, Paint::Red);
            rows.push(format!("{verdict}: {} {}: {}", file.name, entry.entry, entry.reason));
        }
    }
    for row in rows.iter().take(LISTED) {
        _ = writeln!(out, "{row}");
    }
    more(rows.len(), out);
}

fn more(count: usize, out: &mut String) {
    if count > LISTED {
        _ = writeln!(out, "  and {} more; `--json FILE` lists all", count - LISTED);
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::{CorpusEntry, UnreadFile};
    use super::*;

    #[test]
    fn a_file_that_ends_the_process_which_reads_it_counts_and_fails() {
        let good = CorpusEntry::ended("main".to_owned(), EntryVerdict::Agreed.name(), String::new());
        let file = |name: &str, unread, entries| CorpusFile::new(name.to_owned(), "0".to_owned(), unread, entries);
        let unread = |verdict, reason: &str| Some(UnreadFile { verdict, reason: reason.to_owned() });
        let files = [
            file("a.wgsl", None, vec![good]),
            file("b.wgsl", unread(Some(CRASHED), "while it was read: signal 11"), Vec::new()),
            file("c.wgsl", unread(None, "line 3: expected expression"), Vec::new()),
        ];
        assert_eq!(files.each_ref().map(CorpusFile::is_failure), [false, true, false]);
        let count = |verdict: &str| totals(&files).iter().find(|total| total.0 == verdict).map(|total| total.1);
        assert_eq!((count(CRASHED), count("agreed"), count(TIMED_OUT)), (Some(1), Some(1), Some(0)));
        let shown = table(&files, &Console::new());
        for part in [
            "3 files: 2 not read as shaders",
            "1  50.0 %  ",
            ": b.wgsl: while it was read: signal 11",
            "not read:\n  c.wgsl: line 3: expected expression",
        ] {
            assert!(shown.contains(part), "`{part}` is not in\n{shown}");
        }
    }
}
