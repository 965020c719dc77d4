//! The cases that come to each fault: recorded in one run of the suite, so that with a fault planted the
//! cases that cannot find it need not run.
//!
//! While faults are recorded, each process of `verify` that judges cases adds a line of JSON to one file for
//! each case, with the faults that its code came to. Code that is compiled once serves other targets too, which
//! then record nothing: so with a file that comes to a fault on one target, it runs on all. What is compiled in
//! the background may be recorded behind the case: it counts for that one still, as the next case begins.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use std::sync::{Mutex, OnceLock, PoisonError};

use serde::{Deserialize, Serialize};
use tilewise::ir::fault::{self, Fault};

use crate::console::CommandError;

/// The file of lines, and the case before, with whether it passed.
struct CoverageLog {
    file: File,
    before: Option<(String, bool)>,
}

static LOG: OnceLock<Mutex<CoverageLog>> = OnceLock::new();

/// A case, and the faults that its code came to.
#[derive(Serialize, Deserialize)]
struct CoverageLine {
    case: String,
    /// Does it pass? A case that is not run finds nothing.
    passes: bool,
    seconds: f64,
    faults: Vec<String>,
}

/// Records faults from now on, in a file that exists.
pub(super) fn record(path: &Path) -> Result<(), CommandError> {
    let file = OpenOptions::new().append(true).open(path).map_err(|error| {
        let message = format!("cannot write `{}`: {error}", path.display());
        CommandError::new(message, "`tilewise faults` makes this file")
    })?;
    fault::record();
    // There is one environment, so one file.
    _ = LOG.set(Mutex::new(CoverageLog { file, before: None }));
    Ok(())
}

/// Adds the line of a case that was judged, while faults are recorded.
pub(crate) fn note(case: &str, passes: bool, seconds: f64) {
    let Some(log) = LOG.get() else { return };
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.add(case, passes, seconds);
    log.before = Some((case.to_owned(), passes));
}

/// Before a case: adds what was recorded since the one before to that one.
pub(crate) fn begin() {
    let Some(log) = LOG.get() else { return };
    let mut log = log.lock().unwrap_or_else(PoisonError::into_inner);
    log.rest();
}

impl CoverageLog {
    /// Adds what was recorded since the case before to that one.
    fn rest(&mut self) {
        if let Some((before, passes)) = self.before.take() {
            self.add(&before, passes, 0.0);
        }
    }

    fn add(&mut self, case: &str, passes: bool, seconds: f64) {
        let faults = fault::take_recorded().into_iter().map(Fault::name).collect();
        let line = CoverageLine { case: case.to_owned(), passes, seconds, faults };
        // A line that is not written makes a survivor of a fault at the most, for which the whole suite runs.
        if let Ok(mut text) = serde_json::to_string(&line) {
            text.push('\n');
            _ = self.file.write_all(text.as_bytes());
        }
    }
}

/// For each fault the cases that come to it.
#[derive(Default)]
pub(super) struct FaultCoverage {
    /// Cases that pass, with their running times in seconds.
    passing: Vec<(String, f64)>,
    /// Numbers of cases.
    reaching: BTreeMap<Fault, BTreeSet<usize>>,
}

impl FaultCoverage {
    /// The lines of a file.
    pub(super) fn read(text: &str) -> FaultCoverage {
        let lines: Vec<CoverageLine> = text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut seconds: BTreeMap<&str, f64> = BTreeMap::new();
        for line in lines.iter().filter(|line| line.passes) {
            *seconds.entry(&line.case).or_default() += line.seconds;
        }
        let passing: Vec<(String, f64)> = seconds.into_iter().map(|(case, time)| (case.to_owned(), time)).collect();
        let mut reaching: BTreeMap<Fault, BTreeSet<usize>> = BTreeMap::new();
        for line in &lines {
            let Ok(case) = passing.binary_search_by(|(case, _)| case.cmp(&line.case)) else { continue };
            for fault in line.faults.iter().filter_map(|name| Fault::named(name)) {
                reaching.entry(fault).or_default().insert(case);
            }
        }
        FaultCoverage { passing, reaching }
    }

    /// The cases of all files that come to a fault on any target, the quickest file first; of each file
    /// those that recorded it first.
    pub(super) fn of(&self, fault: Fault) -> Vec<&str> {
        let Some(reaching) = self.reaching.get(&fault) else { return Vec::new() };
        let mut files: BTreeMap<&str, (f64, Vec<&str>)> = BTreeMap::new();
        for &(ref case, seconds) in reaching.iter().filter_map(|&i| self.passing.get(i)) {
            let (total, cases) = files.entry(file_of(case)).or_default();
            *total += seconds;
            cases.push(case);
        }
        for (i, (case, _)) in self.passing.iter().enumerate() {
            if let Some((_, cases)) = files.get_mut(file_of(case)).filter(|_| !reaching.contains(&i)) {
                cases.push(case);
            }
        }
        let mut files: Vec<(f64, Vec<&str>)> = files.into_values().collect();
        files.sort_by(|a, b| a.0.total_cmp(&b.0));
        files.into_iter().flat_map(|(_, cases)| cases).collect()
    }
}

/// The file of `NAME@TARGET`.
fn file_of(case: &str) -> &str {
    case.rsplit_once('@').map_or(case, |(file, _)| file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_was_not_run_finds_nothing_also_in_what_is_recorded_behind_it() {
        let path = std::env::temp_dir().join(format!("tilewise-coverage-{}.jsonl", std::process::id()));
        let file = File::create(&path).expect("it can be made");
        let mut log = CoverageLog { file, before: Some(("a/not_run.kir@gpu-wgsl".to_owned(), false)) };
        log.rest();
        log.before = Some(("a/run.kir@jit".to_owned(), true));
        log.rest();
        let text = std::fs::read_to_string(&path).expect("it is there");
        std::fs::remove_file(&path).expect("it can be removed");
        let passing: Vec<String> = FaultCoverage::read(&text).passing.into_iter().map(|(case, _)| case).collect();
        assert_eq!(passing, ["a/run.kir@jit"]);
    }

    #[test]
    fn cases_of_a_file_stay_together_and_the_quickest_file_is_first() {
        let (first, second) = (Fault::ALL[0].name(), Fault::ALL[1].name());
        let line = |case: &str, passes, seconds, faults: &[&String]| {
            let faults = faults.iter().map(|&name| name.clone()).collect();
            serde_json::to_string(&CoverageLine { case: case.to_owned(), passes, seconds, faults }).expect("it is data")
        };
        let text = [
            line("a/slow.kir@jit", true, 2.0, &[&first]),
            line("a/quick.kir@reference", true, 0.5, &[&first, &second]),
            line("a/slow.kir@jit-clif", true, 1.0, &[&first]),
            line("a/quick.kir@jit", true, 0.5, &[&first]),
            line("a/quick.kir@gpu-strict", true, 9.0, &[]),
            line("a/not_run.kir@gpu-wgsl", false, 0.1, &[&first]),
            line("a/slow.kir@jit", true, 0.0, &[&second]),
            "{\"case\":\"cut".to_owned(),
        ]
        .join("\n");
        let coverage = FaultCoverage::read(&text);
        let quick = ["a/quick.kir@jit", "a/quick.kir@reference", "a/quick.kir@gpu-strict"];
        assert_eq!(coverage.of(Fault::ALL[0]), [&quick[..], &["a/slow.kir@jit", "a/slow.kir@jit-clif"]].concat());
        let slow = ["a/slow.kir@jit", "a/slow.kir@jit-clif"];
        let also_quick = ["a/quick.kir@reference", "a/quick.kir@gpu-strict", "a/quick.kir@jit"];
        assert_eq!(coverage.of(Fault::ALL[1]), [&also_quick[..], &slow].concat());
        assert!(coverage.of(Fault::ALL[2]).is_empty());
    }
}
