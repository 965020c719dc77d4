//! Compares the reports of the checks with those that a run expects.

use tilewise_interp::Checks;
use tilewise_ir::diag::{Code, Colour, render};
use tilewise_ir::launch::{CheckReport, Finding as Found, Outcome, Touch};
use tilewise_ir::pos::{Pos, Sources};

use super::compare::{Fix, Marks, RunDifference, spot};
use super::header::{Accessed, Expected, ExpectedReport, HeaderRun, show};

/// The checks of a run: races and reads before a write by default. Out-of-range accesses have a
/// meaning that many files test on purpose, so these checks run only where a report of them is
/// expected.
pub fn checks(run: &HeaderRun) -> Checks {
    let out_of_range =
        findings(run).any(|(_, finding)| matches!(finding.code, Code::K0801 | Code::K0805 | Code::K0806));
    // WGSL says that workgroup memory is zero at first: to read it then is no mistake in a shader.
    let unwritten_tile_memory = run.dispatch.is_none();
    run.checks.clone().unwrap_or(Checks { out_of_range, unwritten_tile_memory, ..Checks::all() })
}

fn findings(run: &HeaderRun) -> impl Iterator<Item = (super::FilePlace, &ExpectedReport)> {
    run.expects.iter().filter_map(|expect| match &expect.expected {
        Expected::Report(finding) => Some((expect.at, finding)),
        _ => None,
    })
}

/// A report as a complete expectation; places without a mark are given as `line:column`.
pub fn expected(report: &CheckReport, marks: &Marks) -> ExpectedReport {
    let name = |pos: Pos| {
        let shown = || format!("{}:{}", pos.line, pos.column);
        spot(pos).and_then(|spot| marks.name_of(spot)).map_or_else(shown, str::to_owned)
    };
    let accessed = |touch: &Touch| Accessed { mark: name(touch.pos), thread: Some(touch.thread) };
    let first = match &report.finding {
        Found::Race { first, .. } => Some(accessed(first)),
        Found::OutOfRange(_)
        | Found::ReadBeforeWrite(_)
        | Found::NotWithin { .. }
        | Found::Misaligned { .. }
        | Found::Arithmetic { .. } => None,
    };
    ExpectedReport {
        code: report.code(),
        message: Some(report.message()),
        access: Some(accessed(&report.access)),
        first,
        times: Some(report.again + 1),
    }
}

/// The places in the reports.
pub fn places(outcome: &Outcome) -> Vec<Pos> {
    let mut out = Vec::new();
    for report in &outcome.reports {
        out.push(report.access.pos);
        if let Found::Race { first, .. } = &report.finding {
            out.push(first.pos);
        }
    }
    out
}

/// The differences between the expected reports and those of the run in the order of thread
/// indices.
pub fn compare(run: &HeaderRun, marks: &Marks, outcome: &Outcome, sources: &Sources) -> Vec<RunDifference> {
    let mut out = Vec::new();
    let mut left: Vec<(&CheckReport, ExpectedReport)> =
        outcome.reports.iter().map(|report| (report, expected(report, marks))).collect();
    for (at, finding) in findings(run) {
        match left.iter().position(|(_, got)| fulfils(finding, got)) {
            Some(i) => _ = left.remove(i),
            None => {
                let want = show(&Expected::Report(finding.clone()));
                let near = left.iter().find(|(_, got)| got.code == finding.code);
                let near = near.map_or(String::new(), |(_, got)| {
                    format!("\n  got:      {}", show(&Expected::Report(got.clone())))
                });
                let message = format!("this report did not come\n  expected: {want}{near}");
                out.push(RunDifference { at, message, fix: Fix::Reports });
            }
        }
    }
    for (report, got) in left {
        let rendered = render(&[report.diagnostic()], sources, Colour::Never);
        let got = show(&Expected::Report(got));
        let message = format!("a report that is not expected\n  got: {got}\n{rendered}");
        out.push(RunDifference { at: run.at, message, fix: Fix::Reports });
    }
    let more = run.expects.iter().find_map(|expect| match expect.expected {
        Expected::MoreReports(more) => Some((expect.at, more)),
        _ => None,
    });
    let (at, more) = more.unwrap_or((run.at, 0));
    if more != outcome.more_reports {
        let got = outcome.more_reports;
        let message = format!("findings beyond the limit on reports\n  expected: {more}\n  got:      {got}");
        out.push(RunDifference { at, message, fix: Fix::Reports });
    }
    out
}

/// In another order of threads the pairs may differ: only the set of codes must be the expected
/// one.
pub fn compare_codes(run: &HeaderRun, outcome: &Outcome) -> Option<RunDifference> {
    let list = |codes: Vec<Code>| {
        let mut names: Vec<&str> = codes.into_iter().map(Code::name).collect();
        names.sort_unstable();
        names.dedup();
        if names.is_empty() { "nothing".to_owned() } else { names.join(", ") }
    };
    let want = list(findings(run).map(|(_, finding)| finding.code).collect());
    let got = list(outcome.reports.iter().map(CheckReport::code).collect());
    let message = format!("the checks report other kinds\n  expected: {want}\n  got:      {got}");
    (want != got).then_some(RunDifference { at: run.at, message, fix: Fix::Nothing })
}

/// Does the report match every part that the expectation gives?
fn fulfils(want: &ExpectedReport, got: &ExpectedReport) -> bool {
    let access = |want: &Option<Accessed>, got: &Option<Accessed>| match (want, got) {
        (None, _) => true,
        (Some(want), Some(got)) => want.mark == got.mark && (want.thread.is_none() || want.thread == got.thread),
        (Some(_), None) => false,
    };
    // Without `times` any number matches, unless a message is given; blessing writes `times` only
    // if it is not 1.
    let times = match want.times {
        Some(times) => Some(times) == got.times,
        None => want.message.is_none() || got.times == Some(1),
    };
    want.code == got.code
        && want.message.as_ref().is_none_or(|message| Some(message) == got.message.as_ref())
        && access(&want.access, &got.access)
        && access(&want.first, &got.first)
        && times
}
