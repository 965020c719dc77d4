//! The counts of litmus tests for programs. The form has a version.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tilewise::Accelerator;
use tilewise_conformance::input_file;
use tilewise_conformance::litmus::run::{LitmusCounts, OutcomeClass};

use crate::console::CommandError;
use crate::host::{self, HostMachine};
use crate::report_file::reads_version;

/// Version of the form.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct LitmusJson<'a> {
    schema: u32,
    tilewise: &'static str,
    host: HostMachine,
    /// The GPU, if one ran tests.
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<String>,
    tests: Vec<LitmusTestJson<'a>>,
}

#[derive(Serialize)]
struct LitmusTestJson<'a> {
    name: &'a str,
    target: &'a str,
    instances: u64,
    failed: bool,
    /// The target lacks what the test needs.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    not_run: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'a str>,
    outcomes: Vec<OutcomeJson<'a>>,
}

#[derive(Serialize)]
struct OutcomeJson<'a> {
    class: &'static str,
    registers: &'a [u32],
    memory: &'a [u32],
    seen: u64,
}

/// The report as text.
pub(super) fn text(all: &[LitmusCounts]) -> Result<String, CommandError> {
    let tests = all.iter().map(|counts| LitmusTestJson {
        name: &counts.name,
        target: counts.target.name(),
        instances: counts.instances,
        failed: counts.is_wrong(),
        not_run: counts.is_not_run,
        reason: counts.trouble.as_deref(),
        outcomes: counts
            .outcomes
            .iter()
            .map(|(outcome, &(class, seen))| OutcomeJson {
                class: class.name(),
                registers: &outcome.registers,
                memory: &outcome.memory,
                seen,
            })
            .collect(),
    });
    let report = LitmusJson {
        schema: SCHEMA,
        tilewise: env!("CARGO_PKG_VERSION"),
        host: host::host(),
        gpu: gpu(all),
        tests: tests.collect(),
    };
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n").map_err(|error| {
        let help = "this is a bug of Tilewise; leave `--json` out";
        CommandError::new(format!("the JSON report cannot be written: {error}"), help)
    })
}

/// The description of the GPU that ran tests.
pub(super) fn gpu(all: &[LitmusCounts]) -> Option<String> {
    all.iter().find(|counts| counts.target.is_gpu())?;
    let accelerators = Accelerator::all();
    accelerators.iter().find(|accelerator| accelerator.path() == "gpu/0").map(|gpu| gpu.description().to_owned())
}

/// A column of the page, from the report of another machine.
pub(super) struct LitmusColumn {
    /// The target, and the machine.
    pub(super) title: String,
    /// The cells by the names of tests.
    pub(super) cells: BTreeMap<String, String>,
}

/// What pages show of a report, of this machine or another.
#[derive(Deserialize)]
pub(crate) struct LitmusReport {
    host: ReportHost,
    #[serde(default)]
    gpu: Option<String>,
    pub(crate) tests: Vec<RecordedRace>,
    schema: u32,
}

#[derive(Deserialize)]
struct ReportHost {
    cpu: String,
}

impl LitmusReport {
    /// Refuses the report of a file if it has another version.
    pub(crate) fn check_version(&self, path: &Path) -> Result<(), CommandError> {
        reads_version(path, self.schema, SCHEMA)
    }
}

/// A test of a report.
#[derive(Deserialize)]
pub(crate) struct RecordedRace {
    pub(crate) name: String,
    pub(crate) target: String,
    pub(crate) instances: u64,
    pub(crate) failed: bool,
    #[serde(default)]
    not_run: bool,
    #[serde(default)]
    pub(crate) reason: Option<String>,
    outcomes: Vec<ReportedOutcome>,
}

#[derive(Deserialize)]
struct ReportedOutcome {
    class: String,
    seen: u64,
}

impl RecordedRace {
    /// Did it not run? Reports of before say so by the number of instances only.
    pub(crate) const fn is_not_run(&self) -> bool {
        !self.failed && (self.not_run || self.instances == 0)
    }

    /// Of the outcomes of a class: how many were seen, and how many there are.
    pub(crate) fn of(&self, class: OutcomeClass) -> (usize, usize) {
        let all: Vec<&ReportedOutcome> = self.outcomes.iter().filter(|outcome| outcome.class == class.name()).collect();
        (all.iter().filter(|outcome| outcome.seen > 0).count(), all.len())
    }
}

/// The columns of a report in a file, one for each target.
pub(super) fn columns(path: &Path) -> Result<Vec<LitmusColumn>, CommandError> {
    let shown = path.display();
    let help = "name a file that `tilewise litmus --json FILE` wrote";
    let text = input_file::text(path)
        .map_err(|error| CommandError::new(format!("`--include`: cannot read `{shown}`: {error}"), help))?;
    let report: LitmusReport = serde_json::from_str(&text).map_err(|error| {
        CommandError::new(format!("`--include`: `{shown}` is no report of litmus tests: {error}"), help)
    })?;
    report.check_version(path)?;
    let mut columns: Vec<LitmusColumn> = Vec::new();
    for test in &report.tests {
        let machine = report.gpu.as_ref().filter(|_| test.target.starts_with("gpu")).unwrap_or(&report.host.cpu);
        let title = format!("{}, {machine}", test.target);
        let at = columns.iter().position(|column| column.title == title).unwrap_or_else(|| {
            columns.push(LitmusColumn { title, cells: BTreeMap::new() });
            columns.len() - 1
        });
        let seen =
            |class: &str| test.outcomes.iter().filter(|outcome| outcome.class == class && outcome.seen > 0).count();
        let cell = match test.is_not_run() {
            true => "not run".to_owned(),
            false => cell_text(test.instances, seen("weak"), seen("forbidden"), test.failed),
        };
        columns[at].cells.insert(test.name.clone(), cell);
    }
    Ok(columns)
}

/// A cell of the table. A test that failed without a forbidden outcome has a launch that failed.
pub(super) fn cell_text(instances: u64, weak: usize, forbidden: usize, failed: bool) -> String {
    let forbidden = match (forbidden, failed) {
        (1.., _) => format!("**{forbidden} forbidden**"),
        (0, true) => "0 forbidden, **a launch failed**".to_owned(),
        (0, false) => "0 forbidden".to_owned(),
    };
    format!("{instances}: {weak} weak, {forbidden}")
}
