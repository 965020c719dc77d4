//! The lines between `verify` and the processes that judge its cases: orders one way, results the
//! other, each a line of JSON.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use tilewise_conformance::corpus;
use tilewise_conformance::kir::FilePlace;
use tilewise_conformance::library::LibraryCase;
use tilewise_conformance::suite::{CodeForm, SuiteCase};
use tilewise_conformance::tolerance::Tolerance;
use tilewise_conformance::verdict::{CaseOutcome, Problem, Verdict};

/// A case to judge.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub(super) enum WorkOrder {
    /// A file test on a target. A file of the user's comes with its text.
    File { name: String, text: Option<String>, target: String, tolerance: ToleranceLine },
    /// A cell of the sweep at the quick level, on a target.
    Cell { name: String, target: String, tolerance: ToleranceLine },
    /// A check of the library on an accelerator.
    Check { name: String, accelerator: String },
}

/// The absolute and the relative part of a [`Tolerance`], as bits: a number in digits may come back as its neighbour.
#[derive(Clone, Copy, Serialize, Deserialize, Debug)]
pub(super) struct ToleranceLine(u64, u64);

impl From<Tolerance> for ToleranceLine {
    fn from(Tolerance { absolute, relative }: Tolerance) -> ToleranceLine {
        ToleranceLine(absolute.to_bits(), relative.to_bits())
    }
}

impl From<ToleranceLine> for Tolerance {
    fn from(ToleranceLine(absolute, relative): ToleranceLine) -> Tolerance {
        Tolerance { absolute: f64::from_bits(absolute), relative: f64::from_bits(relative) }
    }
}

impl WorkOrder {
    pub(super) fn of_file(case: &SuiteCase, text: &str, tolerance: Tolerance) -> WorkOrder {
        let is_embedded = embedded(case.name).is_some_and(|embedded| embedded == text);
        WorkOrder::File {
            name: case.name.to_owned(),
            text: (!is_embedded).then(|| text.to_owned()),
            target: case.target.name().to_owned(),
            tolerance: tolerance.into(),
        }
    }

    pub(super) fn of_cell(case: &SuiteCase, tolerance: Tolerance) -> WorkOrder {
        let (name, target) = (case.name.to_owned(), case.target.name().to_owned());
        WorkOrder::Cell { name, target, tolerance: tolerance.into() }
    }

    pub(super) fn of_check(case: &LibraryCase) -> WorkOrder {
        WorkOrder::Check { name: case.check.name.to_owned(), accelerator: case.accelerator.path().to_owned() }
    }

    /// `NAME@TARGET`.
    pub(super) fn id(&self) -> String {
        match self {
            WorkOrder::File { name, target, .. } | WorkOrder::Cell { name, target, .. } => format!("{name}@{target}"),
            WorkOrder::Check { name, accelerator } => format!("{name}@{accelerator}"),
        }
    }
}

/// The text of a file test of the suite.
pub(super) fn embedded(name: &str) -> Option<&'static str> {
    let at = corpus::FILES.binary_search_by(|entry| entry.0.cmp(name)).ok()?;
    Some(corpus::FILES[at].1)
}

/// The result of a case.
#[derive(Serialize, Deserialize, Debug)]
pub(super) struct WorkResult {
    verdict: VerdictLine,
    /// The emitters of the code that ran.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    forms: Vec<String>,
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    within_tolerance: bool,
    seconds: f64,
}

#[derive(Serialize, Deserialize, Debug)]
enum VerdictLine {
    Pass,
    Fail(Vec<ProblemLine>),
    Unsupported(String),
    NotRun(String),
}

#[derive(Serialize, Deserialize, Debug)]
struct ProblemLine {
    path: String,
    line: u32,
    column: u32,
    message: String,
}

impl WorkResult {
    pub(super) fn new(outcome: CaseOutcome, time: Duration) -> WorkResult {
        let CaseOutcome { verdict, forms, within_tolerance } = outcome;
        let verdict = match verdict {
            Verdict::Pass => VerdictLine::Pass,
            Verdict::Fail(problems) => VerdictLine::Fail(
                problems
                    .into_iter()
                    .map(|Problem { path, at, message }| ProblemLine {
                        path,
                        line: at.line,
                        column: at.column,
                        message,
                    })
                    .collect(),
            ),
            Verdict::Unsupported(reason) => VerdictLine::Unsupported(reason),
            Verdict::NotRun(reason) => VerdictLine::NotRun(reason),
        };
        let forms = forms.iter().map(|form| form.name().to_owned()).collect();
        WorkResult { verdict, forms, within_tolerance, seconds: time.as_secs_f64() }
    }

    /// Is its verdict `pass`?
    pub(super) const fn is_pass(&self) -> bool {
        matches!(self.verdict, VerdictLine::Pass)
    }

    /// The running time.
    pub(super) const fn seconds(&self) -> f64 {
        self.seconds
    }

    /// What came of the case, and its running time.
    pub(super) fn parts(self) -> (CaseOutcome, Duration) {
        let verdict = match self.verdict {
            VerdictLine::Pass => Verdict::Pass,
            VerdictLine::Fail(problems) => Verdict::Fail(
                problems
                    .into_iter()
                    .map(|ProblemLine { path, line, column, message }| Problem {
                        path,
                        at: FilePlace { line, column },
                        message,
                    })
                    .collect(),
            ),
            VerdictLine::Unsupported(reason) => Verdict::Unsupported(reason),
            VerdictLine::NotRun(reason) => Verdict::NotRun(reason),
        };
        let forms = self.forms.iter().filter_map(|name| CodeForm::by_name(name)).collect();
        let outcome = CaseOutcome { verdict, forms, within_tolerance: self.within_tolerance };
        (outcome, Duration::try_from_secs_f64(self.seconds).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tilewise_conformance::suite::CaseKind;

    use super::*;

    #[test]
    fn a_result_is_the_same_at_the_other_end_of_the_line() {
        let at = FilePlace { line: 3, column: 7 };
        let problem = Problem { path: "a.kir".to_owned(), at, message: "two\nlines".to_owned() };
        let forms = BTreeSet::from([CodeForm::Cranelift, CodeForm::Avx2]);
        for verdict in [
            Verdict::Pass,
            Verdict::Fail(vec![problem.clone(), problem]),
            Verdict::Unsupported("no f64".to_owned()),
            Verdict::NotRun("no GPU".to_owned()),
        ] {
            let outcome = CaseOutcome { verdict, forms: forms.clone(), within_tolerance: true };
            let sent = WorkResult::new(outcome.clone(), Duration::from_millis(250));
            let line = serde_json::to_string(&sent).expect("it is data");
            assert!(!line.contains('\n'), "{line}");
            let got: WorkResult = serde_json::from_str(&line).expect("it is JSON");
            assert_eq!(got.parts(), (outcome, Duration::from_millis(250)));
        }
    }

    #[test]
    fn a_tolerance_is_the_same_at_the_other_end_of_the_line() {
        // `serde_json` reads the first as the number below it.
        for part in [0.47274908866546683, 1e-6, f64::MIN_POSITIVE, f64::MAX, 0.0] {
            let tolerance = Tolerance { absolute: part, relative: part / 3.0 };
            let line = serde_json::to_string(&ToleranceLine::from(tolerance)).expect("it is data");
            let got: ToleranceLine = serde_json::from_str(&line).expect("it is JSON");
            assert_eq!(Tolerance::from(got), tolerance);
        }
    }

    #[test]
    fn only_files_of_users_are_sent_as_text() {
        let (name, text) = corpus::FILES[corpus::FILES.len() / 2];
        let target = tilewise_conformance::target::SuiteTarget::Jit;
        for (text, is_sent) in [(text, false), ("kernel k() rank(1) {}", true)] {
            let order =
                WorkOrder::of_file(&SuiteCase { name, kind: CaseKind::File(text), target }, text, Tolerance::NONE);
            let WorkOrder::File { text: sent, .. } = &order else { panic!("it is a file") };
            assert_eq!(sent.is_some(), is_sent);
            assert_eq!(order.id(), format!("{name}@jit"));
        }
    }
}
