//! Runs many cases and counts their verdicts.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

pub use tilewise_cpu_jit::emit::CodeForm;

use crate::corpus;
use crate::kir::case;
use crate::own_target::JudgedTarget;
use crate::shell_word::shell_word;
use crate::sweep::{self, SweepCell, SweepLevel, SweepRun};
use crate::target::SuiteTarget;
use crate::tolerance::Tolerance;
use crate::verdict::{CaseOutcome, Verdict};

/// A case on a target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SuiteCase {
    /// The name: of a file test `group/name.kir`, of a cell of the sweep `sweep/operation/scalar`.
    pub name: &'static str,
    /// What runs.
    pub kind: CaseKind,
    /// The target that runs it.
    pub target: SuiteTarget,
}

/// What a case runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CaseKind {
    /// A file test: its text.
    File(&'static str),
    /// A cell of the sweep.
    Sweep(&'static SweepCell, SweepLevel),
}

/// A case with its verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct JudgedCase {
    /// The case.
    pub case: SuiteCase,
    /// The verdict.
    pub verdict: Verdict,
    /// The emitters of the code that ran.
    pub forms: BTreeSet<CodeForm>,
    /// Were some floats not equal to the expected ones, and near enough?
    pub within_tolerance: bool,
    /// The running time.
    pub time: Duration,
}

/// The cases whose name matches `pattern` (all without one), on these targets. A file that only
/// tests the checker is a case of the first target alone. `level` is how much a cell of the sweep
/// runs.
pub fn select(pattern: Option<&str>, targets: &[SuiteTarget], level: SweepLevel) -> Vec<SuiteCase> {
    let is_named = |name: &str| pattern.is_none_or(|pattern| corpus::matches(pattern, name));
    let matching = corpus::FILES.iter().filter(|(name, _)| is_named(name));
    let on = |text| targets.iter().take(if case::launches(text) { usize::MAX } else { 1 });
    let files = matching
        .flat_map(|&(name, text)| on(text).map(move |&target| SuiteCase { name, kind: CaseKind::File(text), target }));
    // A cell runs on all targets before the next cell: they share its operands.
    let cells = sweep::cells().iter().filter(|cell| is_named(&cell.name)).flat_map(|cell| {
        let kind = CaseKind::Sweep(cell, level);
        targets.iter().map(move |&target| SuiteCase { name: &cell.name, kind, target })
    });
    files.chain(cells).collect()
}

impl SuiteCase {
    /// Runs it.
    pub fn run(self, run: &SweepRun<'_>) -> JudgedCase {
        let start = Instant::now();
        let outcome = match self.kind {
            CaseKind::File(text) => {
                let of_user = !corpus::FILES.contains(&(self.name, text));
                let target = JudgedTarget::of(self.target).within(run.tolerance).with_kernel_of_user(of_user);
                case::run_by(self.name, text, target)
            }
            CaseKind::Sweep(cell, level) => sweep::judge_cell(cell, self.target, level, run),
        };
        JudgedCase::new(self, outcome, start.elapsed())
    }

    /// The text of the file; of a cell of the sweep, a comment that says what it is.
    pub fn text(self) -> Cow<'static, str> {
        match self.kind {
            CaseKind::File(text) => Cow::Borrowed(text),
            CaseKind::Sweep(_, level) => Cow::Owned(format!(
                "// A cell of the sweep at the level `{}`: one operation on one type, on edge values and random\n\
                 // operands from memory, captures and constants, in vectors, tails and tiles.\n",
                level.name()
            )),
        }
    }

    /// The first folder of its name.
    pub fn group(self) -> &'static str {
        corpus::group(self.name)
    }

    /// The command that repeats it, in a run within this tolerance.
    pub fn command(self, tolerance: Tolerance) -> String {
        let level = match self.kind {
            CaseKind::File(_) | CaseKind::Sweep(_, SweepLevel::Quick) => String::new(),
            CaseKind::Sweep(_, level) => format!(" --level {}", level.name()),
        };
        let tolerance = tolerance.options();
        // The name of a user's file may begin as an option does.
        let here = if self.name.starts_with('-') { "./" } else { "" };
        format!("tilewise verify {here}{} --target {}{level}{tolerance}", shell_word(self.name), self.target)
    }
}

impl JudgedCase {
    /// A case, what came of it, and its running time.
    pub fn new(case: SuiteCase, outcome: CaseOutcome, time: Duration) -> JudgedCase {
        let CaseOutcome { verdict, forms, within_tolerance } = outcome;
        JudgedCase { case, verdict, forms, within_tolerance, time }
    }
}

/// The number of cases with each verdict.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct VerdictCounts {
    /// As expected.
    pub pass: usize,
    /// Not as expected.
    pub fail: usize,
    /// Not possible on the target.
    pub unsupported: usize,
    /// Not run.
    pub not_run: usize,
}

impl VerdictCounts {
    /// Counts one more.
    pub fn add(&mut self, verdict: &Verdict) {
        match verdict {
            Verdict::Pass => self.pass += 1,
            Verdict::Fail(_) => self.fail += 1,
            Verdict::Unsupported(_) => self.unsupported += 1,
            Verdict::NotRun(_) => self.not_run += 1,
        }
    }
}

/// The counts of each group and target.
pub fn table(judged: &[JudgedCase]) -> BTreeMap<(&'static str, SuiteTarget), VerdictCounts> {
    let mut out: BTreeMap<_, VerdictCounts> = BTreeMap::new();
    for judged in judged {
        out.entry((judged.case.group(), judged.case.target)).or_default().add(&judged.verdict);
    }
    out
}

/// The number of cases whose kernel ran as compiled code, on one target.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct FormCounts {
    /// The cases.
    pub cases: usize,
    /// Those of them that ran code of each emitter, in some way of running them.
    pub by_form: BTreeMap<CodeForm, usize>,
}

/// Which code ran on each target that compiles for the CPU.
pub fn forms(judged: &[JudgedCase]) -> BTreeMap<SuiteTarget, FormCounts> {
    let mut out: BTreeMap<_, FormCounts> = BTreeMap::new();
    for judged in judged.iter().filter(|judged| !judged.forms.is_empty()) {
        let counts = out.entry(judged.case.target).or_default();
        counts.cases += 1;
        judged.forms.iter().for_each(|&form| *counts.by_form.entry(form).or_default() += 1);
    }
    out
}

/// The counts over all cases.
pub fn total(judged: &[JudgedCase]) -> VerdictCounts {
    let mut out = VerdictCounts::default();
    judged.iter().for_each(|judged| out.add(&judged.verdict));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_that_repeats_a_case_names_its_file() {
        let command = |name| {
            let case = SuiteCase { name, kind: CaseKind::File(""), target: SuiteTarget::Jit };
            case.command(Tolerance::NONE)
        };
        assert_eq!(command("sync/a.kir"), "tilewise verify sync/a.kir --target jit");
        assert_eq!(command("-x.kir"), "tilewise verify ./-x.kir --target jit");
        assert_eq!(command("- x.kir"), "tilewise verify ./'- x.kir' --target jit");
    }
}
