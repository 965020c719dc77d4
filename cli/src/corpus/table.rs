//! What became of a corpus, as text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use tilewise_conformance::shader_corpus::EntryVerdict;

use super::record::{CRASHED, CorpusFile, TIMED_OUT};
use crate::console::{Console, Paint};

/// The maximum number of rows of a list.
const LISTED: usize = 20;

/// Every verdict, from the worst to the best.
fn verdicts() -> impl Iterator<Item = &'static str> {
    [CRASHED, TIMED_OUT].into_iter().chain(EntryVerdict::ALL.map(EntryVerdict::name))
}

/// The number of entry points of each verdict.
pub(super) fn totals(files: &[CorpusFile]) -> Vec<(&'static str, usize)> {
    let entries = || files.iter().flat_map(|file| &file.entries);
    verdicts().map(|verdict| (verdict, entries().filter(|entry| entry.verdict == verdict).count())).collect()
}

/// The table.
pub(super) fn table(files: &[CorpusFile], console: &Console) -> String {
    let mut out = String::new();
    let unreadable: Vec<&CorpusFile> = files.iter().filter(|file| file.error.is_some()).collect();
    let repeated = files.iter().filter(|file| file.same_as.is_some()).count();
    // Writing to a text never fails.
    _ = writeln!(out, "{} files: {} not read as shaders, {repeated} repeated", files.len(), unreadable.len());
    let total: usize = files.iter().map(|file| file.entries.len()).sum();
    for (verdict, count) in totals(files) {
        if count > 0 {
            let share = 100.0 * count as f64 / total as f64;
            _ = writeln!(out, "{count:>7} {share:>5.1} %  {}", painted(verdict, console));
        }
    }
    _ = writeln!(out, "{total:>7} entry points");
    refusals(files, &mut out);
    findings(files, &mut out);
    failures(files, console, &mut out);
    if !unreadable.is_empty() {
        _ = writeln!(out, "not read:");
        for file in unreadable.iter().take(LISTED) {
            _ = writeln!(out, "  {}: {}", file.name, file.error.as_deref().unwrap_or_default());
        }
        more(unreadable.len(), &mut out);
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

/// The entry points that did not come to an agreement, with the reason.
fn failures(files: &[CorpusFile], console: &Console, out: &mut String) {
    let bad = |verdict: &str| {
        let is_refusal = verdict == EntryVerdict::NotImported.name();
        let is_good = EntryVerdict::ALL.iter().any(|known| known.name() == verdict && known.is_agreement());
        !is_refusal && !is_good
    };
    let mut rows = Vec::new();
    for file in files {
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
