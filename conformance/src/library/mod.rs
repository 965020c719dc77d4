//! The **library** layer: runs the checks of the host side of `tilewise` on each accelerator of the
//! machine, and counts their verdicts. The checks themselves are in [`checks`],
//! [`language`], [`launches`], [`pictures`] and [`moves`].
//!
//! A check is a plain function. An error that it returns is a failure, and so is a panic.

mod checks;
mod language;
mod launches;
mod moves;
mod pictures;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tilewise::Accelerator;

use crate::corpus;
use crate::kir::FilePlace;
use crate::suite::VerdictCounts;
use crate::verdict::{Problem, Verdict};

pub use checks::ALL;

/// The group of all checks, in reports beside those of file tests.
pub const GROUP: &str = "library";

/// A check to run on an accelerator.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    /// Its name: `library/a_few_words`.
    pub name: &'static str,
    /// The function that runs it.
    pub run: fn(&Accelerator) -> Result<(), CheckFinding>,
}

/// The failure that a check found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CheckFinding(pub String);

impl From<tilewise::Error> for CheckFinding {
    fn from(error: tilewise::Error) -> CheckFinding {
        CheckFinding(error.to_string())
    }
}

/// A check on an accelerator.
#[derive(Clone, Debug)]
pub struct LibraryCase {
    /// The check.
    pub check: Check,
    /// The accelerator.
    pub accelerator: Accelerator,
}

/// A case with its verdict.
#[derive(Clone, Debug)]
pub struct JudgedCheck {
    /// The case.
    pub case: LibraryCase,
    /// The verdict.
    pub verdict: Verdict,
    /// The running time.
    pub time: Duration,
}

/// The checks whose name matches `pattern` (all without one), on every accelerator that runs
/// kernels.
pub fn select(pattern: Option<&str>) -> Vec<LibraryCase> {
    let matching: Vec<Check> =
        ALL.iter().filter(|check| pattern.is_none_or(|p| corpus::matches(p, check.name))).copied().collect();
    if matching.is_empty() {
        return Vec::new();
    }
    let launchers = Accelerator::all().into_iter().filter(|accelerator| accelerator.path() != Accelerator::CPU);
    let on = |accelerator: Accelerator| {
        matching.iter().map(move |&check| LibraryCase { check, accelerator: accelerator.clone() }).collect::<Vec<_>>()
    };
    launchers.flat_map(on).collect()
}

impl LibraryCase {
    /// Runs it.
    pub fn run(self) -> JudgedCheck {
        let start = Instant::now();
        let done = catch_unwind(AssertUnwindSafe(|| (self.check.run)(&self.accelerator)));
        let done = done.unwrap_or_else(|payload| {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
            Err(CheckFinding(format!("Tilewise panicked: {text}")))
        });
        let verdict = match done {
            Ok(()) => Verdict::Pass,
            Err(CheckFinding(message)) => {
                Verdict::Fail(vec![Problem { path: self.check.name.to_owned(), at: FilePlace::default(), message }])
            }
        };
        JudgedCheck { case: self, verdict, time: start.elapsed() }
    }

    /// The command that repeats it.
    pub fn command(&self) -> String {
        format!("tilewise repro {}@{}", self.check.name, self.accelerator.path())
    }
}

/// The counts of each accelerator.
pub fn table(judged: &[JudgedCheck]) -> BTreeMap<String, VerdictCounts> {
    let mut out: BTreeMap<String, VerdictCounts> = BTreeMap::new();
    for judged in judged {
        out.entry(judged.case.accelerator.path().to_owned()).or_default().add(&judged.verdict);
    }
    out
}

/// Adds the counts of all cases to `total`.
pub fn add_to(total: &mut VerdictCounts, judged: &[JudgedCheck]) {
    judged.iter().for_each(|judged| total.add(&judged.verdict));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judge(run: fn(&Accelerator) -> Result<(), CheckFinding>) -> JudgedCheck {
        let accelerator = Accelerator::new(Accelerator::JIT).expect("it is everywhere");
        LibraryCase { check: Check { name: "library/made_to_fail", run }, accelerator }.run()
    }

    #[test]
    fn what_is_wrong_fails_and_is_counted_where_it_was() {
        let wrong = judge(|_| Err(CheckFinding("5 in place of 4".into())));
        assert!(wrong.verdict.reason().is_some_and(|reason| reason == "library/made_to_fail: 5 in place of 4"));
        let panicked = judge(|_| panic!("at once"));
        assert!(panicked.verdict.reason().is_some_and(|reason| reason.ends_with("Tilewise panicked: at once")));
        let error = judge(|accelerator| {
            tilewise::Array::<i32>::builder(0).on(&accelerator.default_view()).build()?;
            Ok(())
        });
        assert_eq!(error.verdict.name(), "fail");
        let judged = [wrong, panicked, error, judge(|_| Ok(()))];
        let expected = VerdictCounts { pass: 1, fail: 3, unsupported: 0, not_run: 0 };
        assert_eq!(table(&judged), BTreeMap::from([("jit".to_owned(), expected)]));
        let mut total = VerdictCounts { pass: 1, ..VerdictCounts::default() };
        add_to(&mut total, &judged);
        assert_eq!(total, VerdictCounts { pass: 2, ..expected });
    }

    #[test]
    fn every_check_passes_on_every_accelerator() {
        let cases = select(None);
        assert!(cases.len() >= 3 * ALL.len(), "native, reference and jit are everywhere");
        let wrong: Vec<String> = cases
            .into_iter()
            .map(LibraryCase::run)
            .filter_map(|judged| {
                judged.verdict.reason().map(|reason| format!("on {}: {reason}", judged.case.accelerator))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    #[test]
    fn checks_are_named_once_and_found_by_patterns() {
        let mut names: Vec<&str> = ALL.iter().map(|check| check.name).collect();
        assert!(names.iter().all(|name| corpus::group(name) == GROUP));
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ALL.len());
        assert!(select(Some("library/no_such_thing")).is_empty());
        assert_eq!(select(Some("library/**")).len(), select(None).len());
    }
}
