//! `tilewise verify FILE` with a launch on the command line: the file's kernel or shader runs on every
//! target, and all must give what the reference gives, and what the command line expects.

use std::path::Path;

use tilewise::ir::check::Checked;
use tilewise::ir::kernel::Kernel;
use tilewise::ir::launch::{Ending, Refusal};
use tilewise_conformance::kir::bind::BoundRun;
use tilewise_conformance::kir::case;
use tilewise_conformance::kir::compare::RunResult;
use tilewise_conformance::kir::header::HeaderRun;
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};
use tilewise_conformance::tolerance::Tolerance;

use crate::VerifyArgs;
use crate::console::{CommandError, Console, Paint};
use crate::results::{ExpectedContents, differing};

/// What came of a target.
enum OwnVerdict {
    Pass,
    Fail(String),
    NotRun(String),
}

/// Runs a file; true if some targets ran and all of them agree.
pub(super) fn verify_launch(
    path: &Path,
    args: &VerifyArgs,
    targets: &[SuiteTarget],
    console: &mut Console,
) -> Result<bool, CommandError> {
    let read = args.shader.read(path)?;
    let Some(kernel) = read.kernel(console)? else { return Ok(false) };
    let inputs = args.inputs.read(&read, kernel)?;
    let mut runs = read.file.header.runs.clone();
    if runs.is_empty() {
        runs.push(HeaderRun::default());
    }
    let is_ordered = read.file.header.order_dependent.is_some();
    let (mut pass, mut fail, mut not_run) = (0, 0, 0);
    for run in &mut runs {
        args.inputs.set(&inputs, &read, kernel, run)?;
        let (domain, bound) = inputs.prepare(&read.name, kernel, run)?;
        let expected = args.results.expected(&read, &bound)?;
        let launch = case::launch_of(kernel, run, &domain, &bound);
        let reference = case::launch(SuiteTarget::Reference, &launch, &bound);
        let judge = Judge {
            kernel,
            bound: &bound,
            expected: &expected,
            reference: &reference,
            tolerance: args.results.tolerance.tolerance(),
        };
        let title = run.name.as_ref().map_or(String::new(), |name| format!(" in run {name}"));
        for &target in targets {
            let (word, reason) = match judge.verdict(target, &launch, is_ordered) {
                OwnVerdict::Pass => {
                    pass += 1;
                    (console.paint("pass:", Paint::Green), String::new())
                }
                OwnVerdict::Fail(reason) => {
                    fail += 1;
                    (console.paint("fail:", Paint::Red), reason)
                }
                OwnVerdict::NotRun(reason) => {
                    not_run += 1;
                    (console.paint("not-run:", Paint::Yellow), reason)
                }
            };
            let reason = if reason.is_empty() { reason } else { format!(": {}", reason.replace('\n', "\n  ")) };
            console.line(format_args!("{word} {target}{title}{reason}"));
        }
    }
    let passed = fail == 0 && pass > 0;
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    console.line(format_args!("{word}: {pass} pass, {fail} fail, {not_run} not run"));
    Ok(passed)
}

/// The results that others are held against.
struct Judge<'a> {
    kernel: &'a Checked<Kernel>,
    bound: &'a BoundRun,
    expected: &'a [ExpectedContents<'a>],
    reference: &'a RunResult,
    tolerance: Tolerance,
}

impl Judge<'_> {
    fn verdict(&self, target: SuiteTarget, launch: &TargetLaunch<'_>, is_ordered: bool) -> OwnVerdict {
        if let Some(missing) = target.missing() {
            return OwnVerdict::NotRun(missing);
        }
        let way = if is_ordered { target.in_order() } else { Some(launch.way) };
        let Some(way) = way else {
            return OwnVerdict::NotRun("the result depends on the order of threads".to_owned());
        };
        let result = match target {
            SuiteTarget::Reference => self.reference,
            _ => &case::launch(target, &TargetLaunch { way, ..launch.clone() }, self.bound),
        };
        let outcome = match &result.outcome {
            Ok(outcome) => outcome,
            Err(Refusal::Unsupported(reason)) if target != SuiteTarget::Reference => {
                return OwnVerdict::NotRun(reason.clone());
            }
            Err(refusal) => return OwnVerdict::Fail(format!("refused: {refusal}")),
        };
        if outcome.ending != Ending::Completed {
            return OwnVerdict::Fail("the launch does not complete; `tilewise run` shows how it ends".to_owned());
        }
        let found = self.expected.iter().find_map(|expected| expected.difference(&result.memory, self.tolerance));
        if let Some(found) = found {
            return OwnVerdict::Fail(found);
        }
        if !matches!(&self.reference.outcome, Ok(outcome) if outcome.ending == Ending::Completed) {
            let reason = "there is nothing to compare with, as the launch does not complete on the reference";
            return OwnVerdict::NotRun(reason.to_owned());
        }
        // A Relaxed target computes floats as its driver does.
        let tolerance = if target.is_relaxed() { self.tolerance } else { Tolerance::NONE };
        for object in self.bound.objects.iter().filter(|object| object.writable) {
            let [want, got] = [self.reference, result].map(|result| object.contents(&result.memory));
            let Some(found) = differing(object, &want, &got, tolerance) else { continue };
            if target.is_relaxed() && self.tolerance.is_none() && case::has_floats(self.kernel) {
                let reason = "the target is Relaxed, and floats differ from the reference's; `--tolerance` says by how much they may";
                return OwnVerdict::NotRun(reason.to_owned());
            }
            return OwnVerdict::Fail(format!("not as on the reference: {found}"));
        }
        OwnVerdict::Pass
    }
}
