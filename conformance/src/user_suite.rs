//! [`Suite`]: runs the conformance suite on a target of yours, in your program.
//!
//! ```
//! use tilewise::Accelerator;
//! use tilewise_conformance::Suite;
//!
//! let accelerator = Accelerator::new("jit")?;
//! let report = Suite::new("my jit", &accelerator)
//!     .pattern("sync/tile_*")
//!     .progress(|case| eprintln!("{}: {}", case.name, case.verdict.name()))
//!     .run();
//! println!("{report}");
//! std::fs::write(std::env::temp_dir().join("report.xml"), report.junit())?;
//! report.check()?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Cases run in this process, one after another: a target that ends the process ends the run, and one that
//! never returns stops it. `tilewise verify` isolates cases; it is for the targets that it knows.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::time::{Duration, Instant};

use crate::corpus;
use crate::junit::{self, JunitCase};
use crate::kir::case;
use crate::own_target::{JudgedTarget, KernelTarget, OwnTarget};
use crate::suite::VerdictCounts;
use crate::sweep::{self, SweepLevel, SweepRun};
use crate::tolerance::Tolerance;
use crate::verdict::Verdict;

/// A run of the suite on a target of yours; the [module](self) shows one.
pub struct Suite<'a> {
    name: String,
    target: &'a dyn KernelTarget,
    pattern: Option<String>,
    level: SweepLevel,
    progress: Box<dyn FnMut(&CaseReport) + 'a>,
    stop_at_first: bool,
    tolerance: Tolerance,
}

/// A case of a run, with its verdict.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseReport {
    /// Its name, `group/name.kir` or `sweep/operation/scalar`.
    pub name: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// Were some floats not equal to the expected ones, and near enough?
    pub within_tolerance: bool,
    /// The running time.
    pub time: Duration,
}

/// The results of a run.
#[derive(Clone, PartialEq, Debug)]
pub struct SuiteReport {
    /// The name of the target.
    pub name: String,
    /// The cases, in the order in which they ran.
    pub cases: Vec<CaseReport>,
    /// Launches on the target that came to an end.
    pub executed: u64,
    /// The running time.
    pub time: Duration,
    /// Why the target refused a kernel, if it did.
    refusal: Option<String>,
    pattern: Option<String>,
}

/// Why a run does not show that the target is right.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub enum SuiteFailure {
    /// No case has such a name.
    NoCase(String),
    /// The target ran no kernel: why, if it said so.
    NothingRan(Option<String>),
    /// It ran kernels, and no case passed or failed: why the first did not.
    NothingJudged(Option<String>),
    /// Results are not as expected: the cases, and their places and differences.
    Failed(Vec<CaseReport>),
}

impl<'a> Suite<'a> {
    /// A run of all cases on a target, which reports call by this name.
    pub fn new(name: &str, target: &'a dyn KernelTarget) -> Suite<'a> {
        Suite {
            name: name.to_owned(),
            target,
            pattern: None,
            level: SweepLevel::default(),
            progress: Box::new(|_| {}),
            stop_at_first: false,
            tolerance: Tolerance::NONE,
        }
    }

    /// Runs only cases with such a name: a part of it, or a pattern such as `sync/*`.
    #[must_use]
    pub fn pattern(mut self, pattern: &str) -> Self {
        self.pattern = Some(pattern.to_owned());
        self
    }

    /// How much a cell of the sweep runs; [`SweepLevel::Quick`] by default.
    #[must_use]
    pub fn level(mut self, level: SweepLevel) -> Self {
        self.level = level;
        self
    }

    /// Calls this with each case when it is judged.
    #[must_use]
    pub fn progress(mut self, progress: impl FnMut(&CaseReport) + 'a) -> Self {
        self.progress = Box::new(progress);
        self
    }

    /// By how much floats may differ from the expected ones; by nothing by default.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Tolerance) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Ends the run at the first failure.
    #[must_use]
    pub fn stop_at_first(mut self) -> Self {
        self.stop_at_first = true;
        self
    }

    /// Runs the cases, in this thread. Files that launch nothing test the checker, which a target has no
    /// part in, so they are left out.
    pub fn run(mut self) -> SuiteReport {
        let begin = Instant::now();
        let own = OwnTarget::new(self.target);
        let on = JudgedTarget::own(&own).within(self.tolerance);
        let pattern = self.pattern.clone();
        let is_named = |name: &str| pattern.as_deref().is_none_or(|pattern| corpus::matches(pattern, name));
        let level = self.level;
        let mut cases = Vec::new();
        let files = corpus::FILES.iter().filter(|(name, text)| is_named(name) && case::launches(text));
        let files = files.map(|&(name, text)| (name, ChosenWork::File(text)));
        let cells = sweep::cells().iter().filter(|cell| is_named(&cell.name));
        for (name, what) in files.chain(cells.map(|cell| (cell.name.as_str(), ChosenWork::Cell(cell)))) {
            let start = Instant::now();
            let outcome = match what {
                ChosenWork::File(text) => case::run_by(name, text, on),
                ChosenWork::Cell(cell) => sweep::judge_cell_by(cell, on, level, &SweepRun::PLAIN),
            };
            let report = CaseReport {
                name,
                verdict: outcome.verdict,
                within_tolerance: outcome.within_tolerance,
                time: start.elapsed(),
            };
            (self.progress)(&report);
            let is_last = self.stop_at_first && matches!(report.verdict, Verdict::Fail(_));
            cases.push(report);
            if is_last {
                break;
            }
        }
        let (executed, refusal) = (own.executed(), own.reason());
        SuiteReport { name: self.name, cases, executed, time: begin.elapsed(), refusal, pattern: self.pattern }
    }
}

/// What a case runs.
enum ChosenWork {
    File(&'static str),
    Cell(&'static sweep::SweepCell),
}

impl SuiteReport {
    /// The number of cases with each verdict.
    pub fn counts(&self) -> VerdictCounts {
        let mut counts = VerdictCounts::default();
        self.cases.iter().for_each(|case| counts.add(&case.verdict));
        counts
    }

    /// The cases that failed.
    pub fn failures(&self) -> impl Iterator<Item = &CaseReport> {
        self.cases.iter().filter(|case| matches!(case.verdict, Verdict::Fail(_)))
    }

    /// Is everything that ran right, and did any case pass?
    ///
    /// # Errors
    /// If a case failed, no case was chosen, the target ran no kernel, or no case passed.
    pub fn check(&self) -> Result<(), SuiteFailure> {
        let failed: Vec<CaseReport> = self.failures().cloned().collect();
        if !failed.is_empty() {
            return Err(SuiteFailure::Failed(failed));
        }
        match &self.pattern {
            Some(pattern) if self.cases.is_empty() => Err(SuiteFailure::NoCase(pattern.clone())),
            _ if self.executed == 0 => Err(SuiteFailure::NothingRan(self.refusal.clone())),
            _ if self.counts().pass == 0 => {
                Err(SuiteFailure::NothingJudged(self.cases.iter().find_map(|case| case.verdict.reason())))
            }
            _ => Ok(()),
        }
    }

    /// The report for continuous integration, JUnit's XML.
    pub fn junit(&self) -> String {
        let one = |case: &'static str| corpus::group(case);
        let cases = self.cases.iter().map(|case| JunitCase {
            group: one(case.name),
            name: case.name,
            verdict: &case.verdict,
            time: case.time,
            command: None,
        });
        junit::report(&BTreeMap::from([(self.name.as_str(), cases.collect())]), self.time)
    }
}

/// The counts in one line.
impl fmt::Display for SuiteReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let VerdictCounts { pass, fail, unsupported, not_run } = self.counts();
        let (name, executed, seconds) = (&self.name, self.executed, self.time.as_secs_f64());
        write!(
            f,
            "{name}: {pass} passed, {fail} failed, {unsupported} unsupported, {not_run} not run; {executed} launches in {seconds:.1} s"
        )
    }
}

/// The maximum number of failures that a text shows.
const SHOWN: usize = 10;

impl fmt::Display for SuiteFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SuiteFailure::NoCase(pattern) => {
                write!(
                    f,
                    "no case that launches a kernel is called `{pattern}`\n  help: `tilewise list` shows the cases"
                )
            }
            SuiteFailure::NothingRan(reason) => {
                f.write_str("the target ran no kernel, so the suite says nothing about it")?;
                reason.as_ref().map_or(Ok(()), |reason| write!(f, "\n  it refused: {reason}"))
            }
            SuiteFailure::NothingJudged(reason) => {
                f.write_str("no case passed, so the suite says nothing about the target")?;
                reason.as_ref().map_or(Ok(()), |reason| write!(f, "\n  the first: {reason}"))
            }
            SuiteFailure::Failed(cases) => {
                let count = cases.len();
                write!(f, "{count} {} failed", if count == 1 { "case" } else { "cases" })?;
                let shown = cases.iter().take(SHOWN).filter_map(|case| case.verdict.reason());
                for reason in shown {
                    write!(f, "\n{reason}")?;
                }
                if cases.len() > SHOWN { write!(f, "\nand {} more", cases.len() - SHOWN) } else { Ok(()) }
            }
        }
    }
}

impl Error for SuiteFailure {}
