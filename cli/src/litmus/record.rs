//! The counts of litmus tests for programs. The form has a version.

use serde::Serialize;
use tilewise_conformance::litmus::run::LitmusCounts;

use crate::console::CommandError;
use crate::host::{self, HostMachine};

/// Version of the form.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct LitmusJson<'a> {
    schema: u32,
    tilewise: &'static str,
    host: HostMachine,
    tests: Vec<LitmusTestJson<'a>>,
}

#[derive(Serialize)]
struct LitmusTestJson<'a> {
    name: &'a str,
    target: &'a str,
    instances: u64,
    failed: bool,
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
    let report =
        LitmusJson { schema: SCHEMA, tilewise: env!("CARGO_PKG_VERSION"), host: host::host(), tests: tests.collect() };
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n").map_err(|error| {
        let help = "this is a bug of Tilewise; leave `--json` out";
        CommandError::new(format!("the JSON report cannot be written: {error}"), help)
    })
}
