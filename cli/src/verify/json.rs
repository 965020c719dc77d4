//! The report for programs. Its form has a version: a field that changes its meaning raises it.

use std::time::Duration;

use serde::Serialize;
use tilewise_conformance::suite::{self, Judged};

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
    target: &'static str,
    verdict: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    seconds: f64,
}

/// The report as text.
pub(super) fn report(judged: &[Judged], gpu: Option<&Gpu>, time: Duration) -> Result<String, Trouble> {
    let suite::Counts { pass, fail, unsupported, not_run } = suite::total(judged);
    let report = Report {
        schema: SCHEMA,
        tilewise: env!("CARGO_PKG_VERSION"),
        host: host::host(),
        gpu,
        seconds: time.as_secs_f64(),
        total: Counts { pass, fail, unsupported, not_run },
        cases: judged
            .iter()
            .map(|judged| Case {
                name: judged.case.name,
                group: judged.case.group(),
                target: judged.case.target.name(),
                verdict: judged.verdict.name(),
                reason: judged.verdict.reason(),
                seconds: judged.time.as_secs_f64(),
            })
            .collect(),
    };
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n").map_err(|error| {
        Trouble::new(
            format!("the JSON report cannot be written: {error}"),
            "this is a bug of Tilewise; leave `--json` out",
        )
    })
}
