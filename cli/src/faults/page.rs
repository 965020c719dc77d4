//! The page of faults, in Markdown.

use std::fmt::Write as _;

use super::record::{FaultEnd, FaultTrial};
use super::{TrialCounts, by_area};
use crate::host;

const HEAD: &str = "\
# Faults that the suite finds

Written by `tilewise faults --page docs/faults.md`; do not edit.

A suite that passes says little until it is known to fail. Each row is a mistake that was planted in Tilewise on
purpose, as a colleague could make it, and the first case of `tilewise verify` that failed with it, at its quick level.
*Crash* is a case that ended its process, *hang* one that did not end: both are found, but tell a user less than a
result does. *Survived* means that all cases pass, so that one is missing.
How faults are planted: [tests.md](tests.md#planted-faults).
";

/// The text of the page.
pub(super) fn page(trials: &[FaultTrial]) -> String {
    let mut out = HEAD.to_owned();
    let host = host::host();
    let all = TrialCounts::of(&trials.iter().collect::<Vec<_>>());
    // Writing to a String cannot fail.
    let _ = write!(
        out,
        "\nOn {} ({} {}): {} of {} faults are found, {} of them by a crash or a hang; {} were not run.\n\n",
        host.cpu,
        host.os,
        host.architecture,
        all.killed(),
        all.planted(),
        all.crashed,
        all.not_run
    );
    out += "| area | found by a case | by a crash or hang | survived | not run |\n|---|---|---|---|---|\n";
    for (area, counts) in by_area(trials) {
        let TrialCounts { failed, crashed, survived, not_run } = counts;
        let _ = writeln!(out, "| {} | {failed} | {crashed} | {survived} | {not_run} |", area.name());
    }
    for area in by_area(trials).into_keys() {
        let _ = write!(out, "\n## {}\n| fault | mistake | found by |\n|---|---|---|\n", area.name());
        for trial in trials.iter().filter(|trial| trial.fault.area() == area) {
            let found = match &trial.end {
                FaultEnd::Failed(case) => format!("`{case}`"),
                FaultEnd::Crashed(case) => format!("crash of `{case}`"),
                FaultEnd::Hung(case) => format!("hang of `{case}`"),
                FaultEnd::Survived => "**survived**".to_owned(),
                FaultEnd::NotReached => "**survived**: no case reaches it".to_owned(),
                FaultEnd::NotRun(why) => format!("not run: {why}"),
            };
            let name = trial.fault.name();
            let short = name.split_once('/').map_or(name.as_str(), |(_, short)| short);
            let _ = writeln!(out, "| `{short}` | {} | {found} |", trial.fault.mistake());
        }
    }
    out
}
