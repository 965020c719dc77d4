//! The report for programs. Its form has a version: a field that changes its meaning raises it.

use serde::Serialize;
use tilewise_conformance::library;
use tilewise_conformance::suite;

use super::Done;
use super::gpu::Gpu;
use crate::console::Trouble;
use crate::host::{self, Host};

/// Version of the form.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct Report<'a> {
    schema: u32,
    tilewise: &'static str,
    host: Host,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<&'a Gpu>,
    seconds: f64,
    total: Counts,
    cases: Vec<Case<'a>>,
}

#[derive(Serialize)]
struct Counts {
    pass: usize,
    fail: usize,
    unsupported: usize,
    not_run: usize,
}

#[derive(Serialize)]
struct Case<'a> {
    name: &'a str,
    group: &'a str,
    /// Of checks of the library, the accelerator.
    target: &'a str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    seconds: f64,
}

/// The report as text.
pub(super) fn report(done: &Done, gpu: Option<&Gpu>) -> Result<String, Trouble> {
    let suite::Counts { pass, fail, unsupported, not_run } = done.total();
    let files = done.judged.iter().map(|judged| Case {
        name: judged.case.name,
        group: judged.case.group(),
        target: judged.case.target.name(),
        verdict: judged.verdict.name(),
        reason: judged.verdict.reason(),
        seconds: judged.time.as_secs_f64(),
    });
    let checks = done.checked.iter().map(|judged| Case {
        name: judged.case.check.name,
        group: library::GROUP,
        target: judged.case.accelerator.path(),
        verdict: judged.verdict.name(),
        reason: judged.verdict.reason(),
        seconds: judged.time.as_secs_f64(),
    });
    let report = Report {
        schema: SCHEMA,
        tilewise: env!("CARGO_PKG_VERSION"),
        host: host::host(),
        gpu,
        seconds: done.time.as_secs_f64(),
        total: Counts { pass, fail, unsupported, not_run },
        cases: files.chain(checks).collect(),
    };
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n").map_err(|error| {
        Trouble::new(
            format!("the JSON report cannot be written: {error}"),
            "this is a bug of Tilewise; leave `--json` out",
        )
    })
}
