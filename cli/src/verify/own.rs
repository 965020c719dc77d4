//! `tilewise verify FILE` with a launch on the command line: the file's kernel or shader runs on every
//! target, and all must print and give what the reference does, and what the command line expects. What the
//! file's header expects holds too, unless its inputs are replaced.

use std::collections::HashSet;
use std::path::Path;

use tilewise::ir::check::Checked;
use tilewise::ir::kernel::Kernel;
use tilewise::ir::launch::{Ending, LaunchMemory, Outcome, Printed, Refusal};
use tilewise_conformance::kir::bind::{BoundRun, NamedData};
use tilewise_conformance::kir::case;
use tilewise_conformance::kir::compare::{self, Marks, RunResult};
use tilewise_conformance::kir::header::{Expect, Expected, HeaderRun};
use tilewise_conformance::memory_difference::difference_beside_floats;
use tilewise_conformance::target::{SuiteTarget, TargetLaunch};
use tilewise_conformance::tolerance::Tolerance;

use crate::VerifyArgs;
use crate::console::{CommandError, Console, Paint};
use crate::each_once;
use crate::results::{ExpectedContents, differing};
use crate::shader::NOTHING_RUNS;

/// What came of a target.
enum OwnVerdict {
    Pass,
    /// It is the reference, and nothing is expected of it.
    Base,
    Fail(String),
    NotRun(String),
}

/// Runs a file; true if some targets ran, all of them agree, and each that is named is there.
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
    // The targets of which a verdict says that they ran.
    let mut active = HashSet::new();
    for run in &mut runs {
        args.inputs.set(&inputs, &read, kernel, run)?;
        let (domain, bound) = inputs.prepare(&read, kernel, run)?;
        let expected = args.results.expected(&read, &bound)?;
        let title = run.name.as_ref().map_or(String::new(), |name| format!(" in run {name}"));
        let header = args.inputs.is_empty().then(|| expecting(run, &bound)).flatten();
        if header.is_none() && !run.expects.is_empty() {
            let word = console.paint("left out:", Paint::Yellow);
            console.line(format_args!("{word} what the header expects{title}, as its inputs are replaced"));
        }
        if read.is_idle(run) {
            console.line(NOTHING_RUNS);
            let tolerance = args.results.tolerance.tolerance();
            let found = expected.iter().find_map(|expected| expected.difference(&bound.memory, tolerance));
            active.extend(targets.iter().filter(|target| target.missing().is_none()));
            match found {
                Some(found) => {
                    fail += 1;
                    let word = console.paint("fail:", Paint::Red);
                    console.line(format_args!("{word}{title} {found}"));
                }
                None => pass += 1,
            }
            continue;
        }
        let launch = case::launch_of(kernel, run, &domain, &bound);
        let reference = case::launch(SuiteTarget::Reference, &launch, &bound);
        let judge = Judge {
            kernel,
            bound: &bound,
            expected: &expected,
            header: header.as_ref().map(|run| (run, &read.file.marks)),
            reference: &reference,
            tolerance: args.results.tolerance.tolerance(),
        };
        for &target in targets {
            let (word, reason) = match judge.verdict(target, &launch, is_ordered) {
                OwnVerdict::Pass => {
                    pass += 1;
                    active.insert(target);
                    (console.paint("pass:", Paint::Green), String::new())
                }
                OwnVerdict::Base => {
                    active.insert(target);
                    (console.paint("compared with:", Paint::Bold), "the launch completes".to_owned())
                }
                OwnVerdict::Fail(reason) => {
                    fail += 1;
                    active.insert(target);
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
    // By default the available targets run; of a target that is named, a pass says that something ran on it.
    let idle: Vec<SuiteTarget> =
        each_once(&args.target).into_iter().filter(|target| !active.contains(target)).collect();
    for &target in &idle {
        console.nothing_run(target, target.missing().unwrap_or_else(|| "none of the launches above".to_owned()));
    }
    let passed = fail == 0 && pass > 0 && idle.is_empty();
    let word = if passed { console.paint("passed", Paint::Green) } else { console.paint("FAILED", Paint::Red) };
    let why = if pass + fail == 0 { ", nothing was compared" } else { "" };
    console.line(format_args!("{word}: {pass} pass, {fail} fail, {not_run} not run{why}"));
    Ok(passed)
}

/// The run with its header's expectations, if it has some. What they leave open may be anything: the command line may
/// say it.
fn expecting(run: &HeaderRun, bound: &BoundRun) -> Option<HeaderRun> {
    let mut whole = (!run.expects.is_empty()).then(|| run.clone())?;
    let is_said =
        |object: &&NamedData| run.expects.iter().any(|expect| expect.expected.subject() == Some(&object.name));
    let open = bound.objects.iter().filter(|object| object.writable && !is_said(object));
    whole.expects.extend(open.map(|object| Expect {
        at: run.at,
        first: 0,
        last: 0,
        expected: Expected::Any(object.name.clone()),
    }));
    Some(whole)
}

/// The results that others are held against.
struct Judge<'a> {
    kernel: &'a Checked<Kernel>,
    bound: &'a BoundRun,
    expected: &'a [ExpectedContents<'a>],
    /// The run whose expectations hold, and the marks of its file.
    header: Option<(&'a HeaderRun, &'a Marks)>,
    reference: &'a RunResult,
    tolerance: Tolerance,
}

impl Judge<'_> {
    fn verdict(&self, target: SuiteTarget, launch: &TargetLaunch<'_>, is_ordered: bool) -> OwnVerdict {
        if let Some(missing) = target.missing() {
            return OwnVerdict::NotRun(missing);
        }
        let in_order = target.in_order();
        let ways = match (is_ordered, &in_order) {
            (false, _) => target.ways(),
            (true, Some(way)) => std::slice::from_ref(way),
            (true, None) => return OwnVerdict::NotRun("the result depends on the order of threads".to_owned()),
        };
        if target == SuiteTarget::Reference {
            return self.of_result(target, self.reference);
        }
        let mut verdict = OwnVerdict::Pass;
        for &way in ways {
            verdict =
                self.of_result(target, &case::launch_own(target, &TargetLaunch { way, ..launch.clone() }, self.bound));
            match &mut verdict {
                OwnVerdict::Pass | OwnVerdict::Base => {}
                OwnVerdict::Fail(found) if way != launch.way => {
                    *found = format!("with `{way}`: {found}");
                    break;
                }
                OwnVerdict::Fail(_) | OwnVerdict::NotRun(_) => break,
            }
        }
        verdict
    }

    /// The verdict on a launch.
    fn of_result(&self, target: SuiteTarget, result: &RunResult) -> OwnVerdict {
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
        for expected in self.expected {
            let Some(found) = expected.difference(&result.memory, self.tolerance) else { continue };
            let only_floats = expected.holds_beside_floats(&result.memory);
            let is_relaxed = target.is_relaxed() && case::has_floats(self.kernel);
            return match is_relaxed && (only_floats || self.escapes(target)) {
                true => OwnVerdict::NotRun(RELAXED.to_owned()),
                false => OwnVerdict::Fail(found),
            };
        }
        if let Some(verdict) = self.header_verdict(target, result) {
            return verdict;
        }
        if let Some(found) = self.frozen(&result.memory) {
            return OwnVerdict::Fail(found);
        }
        match &self.reference.outcome {
            _ if target == SuiteTarget::Reference => {
                let expects = !self.expected.is_empty() || self.header.is_some();
                if expects { OwnVerdict::Pass } else { OwnVerdict::Base }
            }
            Ok(reference) if reference.ending == Ending::Completed => self.beside(target, reference, outcome, result),
            Ok(_) | Err(_) => {
                let reason = "there is nothing to compare with, as the launch does not complete on the reference";
                OwnVerdict::NotRun(reason.to_owned())
            }
        }
    }

    /// The verdict that the header's expectations give, if they do not hold.
    fn header_verdict(&self, target: SuiteTarget, result: &RunResult) -> Option<OwnVerdict> {
        let (run, marks) = self.header?;
        let found = compare::compare(run, self.bound, marks, result, self.tolerance);
        let first = found.list.first()?;
        let is_relaxed = target.is_relaxed() && case::has_floats(self.kernel);
        Some(if is_relaxed && (found.only_floats || self.escapes(target)) {
            OwnVerdict::NotRun(RELAXED.to_owned())
        } else {
            OwnVerdict::Fail(first.message.clone())
        })
    }

    /// Does more than floats depend on floats that a Relaxed target computes?
    fn escapes(&self, target: SuiteTarget) -> bool {
        target.is_relaxed() && case::floats_escape(self.kernel, &self.bound.arguments)
    }

    /// The verdict on a launch beside the reference's; both complete.
    fn beside(&self, target: SuiteTarget, reference: &Outcome, outcome: &Outcome, result: &RunResult) -> OwnVerdict {
        let escapes = self.escapes(target);
        if let Some(found) = other_lines(reference, outcome) {
            return if escapes { OwnVerdict::NotRun(RELAXED.to_owned()) } else { OwnVerdict::Fail(found) };
        }
        let memories = [&self.reference.memory, &result.memory];
        if target.is_relaxed() && !escapes {
            let [want, got] = memories;
            if let Some(found) = difference_beside_floats(self.kernel, &self.bound.arguments, want, got) {
                return OwnVerdict::Fail(format!("not as on the reference: {found}"));
            }
        }
        // A Relaxed target computes floats as its driver does.
        let tolerance = if target.is_relaxed() { self.tolerance } else { Tolerance::NONE };
        for object in self.bound.objects.iter().filter(|object| object.writable) {
            let [want, got] = memories.map(|memory| object.contents(memory));
            let Some(found) = differing(object, &want, &got, tolerance) else { continue };
            if target.is_relaxed() && self.tolerance.is_none() && case::has_floats(self.kernel) {
                return OwnVerdict::NotRun(RELAXED.to_owned());
            }
            return OwnVerdict::Fail(format!("not as on the reference: {found}"));
        }
        OwnVerdict::Pass
    }

    /// A byte that the launch may not write, and has changed.
    fn frozen(&self, after: &LaunchMemory) -> Option<String> {
        let pairs = self.bound.memory.allocations.iter().zip(&after.allocations).zip(&self.bound.writable);
        pairs.enumerate().find_map(|(allocation, ((before, after), writable))| {
            let changed = (0..before.len()).find(|&i| !writable[i] && after.get(i) != Some(&before[i]))?;
            let object = self.bound.objects.iter().find(|object| object.allocation == allocation);
            let name = object.map_or("memory", |object| object.own_name.as_str());
            Some(format!("byte {changed} of the memory of `{name}` has changed, which the launch may not write"))
        })
    }
}

/// Why a Relaxed target that differs is not judged.
const RELAXED: &str = "the target is Relaxed, and floats differ from the reference's, or what depends on them; `--tolerance` says by how much they may";

/// The first line of output in which a launch differs from the reference's.
fn other_lines(reference: &Outcome, outcome: &Outcome) -> Option<String> {
    if reference.lost != outcome.lost {
        let (lost, other) = (outcome.lost, reference.lost);
        return Some(format!("{lost} bytes of its output are lost, and {other} of the reference's"));
    }
    let count = reference.printed.len().max(outcome.printed.len());
    let (want, got) = (&reference.printed, &outcome.printed);
    let at = (0..count).find(|&i| want.get(i) != got.get(i))?;
    let shown = |line: Option<&Printed>| {
        line.map_or("nothing".to_owned(), |line| format!("`{}` of thread {}", line.text, line.thread))
    };
    let (want, got) = (shown(want.get(at)), shown(got.get(at)));
    Some(format!("line {} of its output is {got}, and {want} on the reference", at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_lost_bytes_of_output_are_compared() {
        let line = |thread, text: &str| Printed { thread, text: text.to_owned() };
        let output = |lost, printed: &[Printed]| Outcome {
            ending: Ending::Completed,
            printed: printed.to_vec(),
            lost,
            instructions: 0,
            reports: Vec::new(),
            more_reports: 0,
        };
        let two = output(0, &[line(0, "x"), line(1, "y")]);
        assert_eq!(other_lines(&two, &two), None);
        for (other, words) in [
            (output(0, &[line(0, "x")]), "line 2 of its output is nothing, and `y` of thread 1"),
            (output(0, &[line(1, "x"), line(1, "y")]), "line 1 of its output is `x` of thread 1"),
            (output(7, &[line(0, "x"), line(1, "y")]), "7 bytes of its output are lost, and 0"),
        ] {
            let found = other_lines(&two, &other).unwrap_or_default();
            assert!(found.contains(words), "{found}");
        }
    }
}
