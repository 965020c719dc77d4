//! `tilewise diff`: the changes between two reports of `verify --json`, or of `bench --json`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;
use serde::Deserialize;
use tilewise_benches::harness::compare::RaceChanges;
use tilewise_benches::harness::record::RaceRecord;
use tilewise_conformance::input_file;

use crate::console::{CommandError, Console, Paint};

#[derive(Args, Debug)]
pub(crate) struct DiffArgs {
    /// The report to compare with
    #[arg(value_name = "OLD.json")]
    old: PathBuf,
    /// The report that may be better or worse
    #[arg(value_name = "NEW.json")]
    new: PathBuf,
}

/// The version of the reports that this file reads.
const SCHEMA: u64 = 1;

#[derive(Deserialize)]
struct OldOrNew {
    schema: u64,
    #[serde(default)]
    tolerance: Option<ReportedTolerance>,
    cases: Vec<ReportedCase>,
}

/// By how much floats could differ.
#[derive(Deserialize, PartialEq)]
struct ReportedTolerance {
    absolute: f64,
    relative: f64,
}

impl OldOrNew {
    /// The tolerance in words.
    fn tolerance(&self) -> String {
        self.tolerance.as_ref().map_or("no tolerance".to_owned(), |ReportedTolerance { absolute, relative }| {
            format!("{absolute} and {relative} of the number")
        })
    }
}

#[derive(Deserialize, Clone)]
struct ReportedCase {
    name: String,
    target: String,
    verdict: String,
    #[serde(default)]
    within_tolerance: bool,
    seconds: f64,
}

impl ReportedCase {
    /// Does it pass only because of the tolerance?
    fn is_near(&self) -> bool {
        self.verdict == "pass" && self.within_tolerance
    }
}

type Cases = BTreeMap<String, ReportedCase>;

/// A kind of change, in the order in which kinds are listed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum ChangeKind {
    NewlyFailing,
    Removed,
    NewlyNotRun,
    NewlyNear,
    Fixed,
    NewlyRun,
    NewlyExact,
    Added,
    OtherReason,
    Slower,
}

impl ChangeKind {
    const fn title(self) -> &'static str {
        match self {
            ChangeKind::NewlyFailing => "newly failing",
            ChangeKind::Removed => "removed",
            ChangeKind::NewlyNotRun => "newly not run",
            ChangeKind::NewlyNear => "newly only within the tolerance",
            ChangeKind::Fixed => "fixed",
            ChangeKind::NewlyRun => "newly run",
            ChangeKind::NewlyExact => "newly exact",
            ChangeKind::Added => "added",
            ChangeKind::OtherReason => "not run for another reason",
            ChangeKind::Slower => "slower by a lot",
        }
    }

    /// Is the new report worse because of it? Times depend on the machine.
    const fn is_worse(self) -> bool {
        match self {
            ChangeKind::NewlyFailing | ChangeKind::Removed | ChangeKind::NewlyNotRun | ChangeKind::NewlyNear => true,
            ChangeKind::Fixed
            | ChangeKind::NewlyRun
            | ChangeKind::NewlyExact
            | ChangeKind::Added
            | ChangeKind::OtherReason
            | ChangeKind::Slower => false,
        }
    }
}

/// Compares; true if the new report is the same or better.
pub(crate) fn diff(args: &DiffArgs, console: &mut Console) -> Result<bool, CommandError> {
    let texts = (read(&args.old)?, read(&args.new)?);
    if RaceRecord::is_one(&texts.0) || RaceRecord::is_one(&texts.1) {
        let (old, new) = (RaceRecord::of_file(&args.old, &texts.0)?, RaceRecord::of_file(&args.new, &texts.1)?);
        let changes = RaceChanges::between(&old, &new)?;
        changes.lines().iter().for_each(|line| console.line(line));
        return Ok(changes.regressions().is_empty());
    }
    let (old, new) = (parsed(&args.old, &texts.0)?, parsed(&args.new, &texts.1)?);
    if old.tolerance != new.tolerance {
        let title = console.paint("other tolerance:", Paint::Yellow);
        console.line(format_args!("{title} {}, was {}", new.tolerance(), old.tolerance()));
    }
    let (old, new) = (by_id(old), by_id(new));
    let changes = changes(&old, &new);
    for (kind, cases) in &changes {
        let colour = if kind.is_worse() { Paint::Red } else { Paint::Green };
        let title = console.paint(&format!("{}:", kind.title()), colour);
        console.line(format_args!("{title} {}", cases.len()));
        cases.iter().for_each(|case| console.line(format_args!("  {case}")));
    }
    let worse = changes.keys().any(|kind| kind.is_worse());
    let word = if worse {
        console.paint("worse", Paint::Red)
    } else {
        console.paint(if changes.is_empty() { "same" } else { "not worse" }, Paint::Green)
    };
    console.line(format_args!("{word}: {} cases before, {} now", old.len(), new.len()));
    Ok(!worse)
}

fn changes(old: &Cases, new: &Cases) -> BTreeMap<ChangeKind, Vec<String>> {
    let mut changes: BTreeMap<ChangeKind, Vec<String>> = BTreeMap::new();
    let mut add = |kind, line: String| changes.entry(kind).or_default().push(line);
    for (id, now) in new {
        let Some(before) = old.get(id) else {
            let kind = if now.verdict == "fail" { ChangeKind::NewlyFailing } else { ChangeKind::Added };
            add(kind, format!("{}: {}", shown(id), shown(&now.verdict)));
            continue;
        };
        let line = format!("{}: {}, was {}", shown(id), shown(&now.verdict), shown(&before.verdict));
        match (before.verdict.as_str(), now.verdict.as_str()) {
            (was, is) if was == is => match (before.is_near(), now.is_near()) {
                (false, true) => add(ChangeKind::NewlyNear, shown(id)),
                (true, false) => add(ChangeKind::NewlyExact, shown(id)),
                (false, false) | (true, true) => {}
            },
            (_, "fail") => add(ChangeKind::NewlyFailing, line),
            ("fail", "pass") => add(ChangeKind::Fixed, line),
            (_, "pass") => add(ChangeKind::NewlyRun, line),
            // It did not run before either.
            ("not-run" | "unsupported", _) => add(ChangeKind::OtherReason, line),
            _ => add(ChangeKind::NewlyNotRun, line),
        }
        if now.seconds > 3.0 * before.seconds && now.seconds > before.seconds + 0.5 {
            add(ChangeKind::Slower, format!("{}: {:.2} s, was {:.2} s", shown(id), now.seconds, before.seconds));
        }
    }
    for (id, before) in old.iter().filter(|(id, _)| !new.contains_key(*id)) {
        add(ChangeKind::Removed, format!("{}: was {}", shown(id), shown(&before.verdict)));
    }
    changes
}

/// The cases of a report by `NAME@TARGET`. Of one that ran several times, as `--cases` can have it, a failure counts.
fn by_id(report: OldOrNew) -> Cases {
    let mut cases = Cases::new();
    for case in report.cases {
        let known = cases.entry(format!("{}@{}", case.name, case.target));
        let known = known.or_insert_with(|| case.clone());
        if known.verdict != "fail" {
            *known = case;
        }
    }
    cases
}

/// A text of a report, without characters that a terminal obeys.
fn shown(text: &str) -> String {
    text.replace(char::is_control, "\u{fffd}")
}

/// The text of a report.
fn read(path: &Path) -> Result<String, CommandError> {
    input_file::text(path).map_err(|error| {
        let message = format!("cannot read `{}`: {error}", path.display());
        CommandError::new(message, "name two reports of `tilewise verify --json`, or of `tilewise bench --json`")
    })
}

/// The report of `verify` in a text.
fn parsed(path: &Path, text: &str) -> Result<OldOrNew, CommandError> {
    let shown = path.display();
    let report: OldOrNew = serde_json::from_str(text).map_err(|error| {
        let message = format!("`{shown}` is no report of `tilewise verify --json`: {error}");
        CommandError::new(message, "write one with `tilewise verify --json FILE`")
    })?;
    if report.schema != SCHEMA {
        let message = format!("`{shown}` has version {} of reports, and this program reads {SCHEMA}", report.schema);
        return Err(CommandError::new(message, "write both reports with this program"));
    }
    Ok(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(verdicts: &[&str]) -> Cases {
        let case =
            |verdict: &&str| format!(r#"{{"name": "a.kir", "target": "jit", "verdict": "{verdict}", "seconds": 0.1}}"#);
        let cases: Vec<String> = verdicts.iter().map(case).collect();
        let text = format!(r#"{{"schema": 1, "cases": [{}]}}"#, cases.join(", "));
        by_id(serde_json::from_str(&text).unwrap())
    }

    fn kinds(old: &[&str], new: &[&str]) -> Vec<&'static str> {
        changes(&report(old), &report(new)).into_keys().map(ChangeKind::title).collect()
    }

    #[test]
    fn what_did_not_run_before_is_not_worse_if_it_does_not_run() {
        assert_eq!(kinds(&["not-run"], &["unsupported"]), ["not run for another reason"]);
        assert!(!ChangeKind::OtherReason.is_worse());
        assert_eq!(kinds(&["pass"], &["unsupported"]), ["newly not run"]);
        assert_eq!(kinds(&["not-run"], &["fail"]), ["newly failing"]);
    }

    #[test]
    fn a_failure_of_a_case_that_ran_twice_counts() {
        for twice in [["fail", "pass"], ["pass", "fail"]] {
            assert_eq!(kinds(&["pass"], &twice), ["newly failing"], "{twice:?}");
        }
        assert!(kinds(&["pass", "pass"], &["pass"]).is_empty());
    }
}
