//! The report for programs. Its form has a version: a change of a field's meaning increments it.

use serde::Serialize;
use tilewise_conformance::library;
use tilewise_conformance::suite;
use tilewise_conformance::tolerance::Tolerance;

use super::VerifyRun;
use super::gpu::FirstGpu;
use crate::console::CommandError;
use crate::host::{self, HostMachine};

/// Version of the form.
const SCHEMA: u32 = 1;

#[derive(Serialize)]
struct VerifyJson<'a> {
    schema: u32,
    tilewise: &'static str,
    host: HostMachine,
    #[serde(skip_serializing_if = "Option::is_none")]
    gpu: Option<&'a FirstGpu>,
    seconds: f64,
    /// By how much floats may differ from the expected ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    tolerance: Option<ToleranceJson>,
    total: CountsJson,
    cases: Vec<CaseJson<'a>>,
    /// What `--accuracy` measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    accuracy: Option<serde_json::Value>,
}

#[derive(Serialize)]
struct ToleranceJson {
    absolute: f64,
    relative: f64,
}

#[derive(Serialize)]
struct CountsJson {
    pass: usize,
    /// Of those that pass, the ones of which some floats are not the expected ones.
    #[serde(skip_serializing_if = "Option::is_none")]
    within_tolerance: Option<usize>,
    fail: usize,
    unsupported: usize,
    not_run: usize,
}

#[derive(Serialize)]
struct CaseJson<'a> {
    name: &'a str,
    group: &'a str,
    /// For checks of the library, the accelerator.
    target: &'a str,
    verdict: &'static str,
    /// Were some floats not the expected ones, and near enough?
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    within_tolerance: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<String>,
    /// The emitters of the code that ran.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    code: Vec<&'static str>,
    seconds: f64,
}

/// The report as text.
pub(super) fn report(
    done: &VerifyRun,
    gpu: Option<&FirstGpu>,
    accuracy: Option<serde_json::Value>,
) -> Result<String, CommandError> {
    let suite::VerdictCounts { pass, fail, unsupported, not_run } = done.total();
    let within = done.tolerance.map(|_| done.judged.iter().filter(|judged| super::is_near(judged)).count());
    let files = done.judged.iter().map(|judged| CaseJson {
        name: judged.case.name,
        group: judged.case.group(),
        target: judged.case.target.name(),
        verdict: judged.verdict.name(),
        within_tolerance: super::is_near(judged),
        reason: judged.verdict.reason(),
        code: judged.forms.iter().map(|form| form.name()).collect(),
        seconds: judged.time.as_secs_f64(),
    });
    let checks = done.checked.iter().map(|judged| CaseJson {
        name: judged.case.check.name,
        group: library::GROUP,
        target: judged.case.accelerator.path(),
        verdict: judged.verdict.name(),
        within_tolerance: false,
        reason: judged.verdict.reason(),
        code: Vec::new(),
        seconds: judged.time.as_secs_f64(),
    });
    let report = VerifyJson {
        schema: SCHEMA,
        tilewise: env!("CARGO_PKG_VERSION"),
        host: host::host(),
        gpu,
        seconds: done.time.as_secs_f64(),
        tolerance: done.tolerance.map(|Tolerance { absolute, relative }| ToleranceJson { absolute, relative }),
        total: CountsJson { pass, within_tolerance: within, fail, unsupported, not_run },
        cases: files.chain(checks).collect(),
        accuracy,
    };
    let text = serde_json::to_string_pretty(&report);
    text.map(|text| text + "\n").map_err(|error| {
        CommandError::new(
            format!("the JSON report cannot be written: {error}"),
            "this is a bug of Tilewise; leave `--json` out",
        )
    })
}
