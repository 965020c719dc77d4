//! The verdict on a case. Only `Pass` counts as passed.

use std::collections::BTreeSet;
use std::fmt;

use tilewise_cpu_jit::emit::CodeForm;

use crate::kir::FilePlace;

/// The verdict on a case on a target.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// All results were as expected.
    Pass,
    /// Some results were not as expected.
    Fail(Vec<Problem>),
    /// The target lacks a feature that the case needs: the reason.
    Unsupported(String),
    /// The case was not run: the reason.
    NotRun(String),
}

impl Verdict {
    /// One word, for tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail(_) => "fail",
            Verdict::Unsupported(_) => "unsupported",
            Verdict::NotRun(_) => "not-run",
        }
    }

    /// The reason why it is not a pass.
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::Pass => None,
            Verdict::Fail(problems) => Some(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
            Verdict::Unsupported(reason) | Verdict::NotRun(reason) => Some(reason.clone()),
        }
    }
}

/// What came of a case on a target.
#[derive(Clone, PartialEq, Debug)]
pub struct CaseOutcome {
    /// The verdict.
    pub verdict: Verdict,
    /// The emitters of the code that ran.
    pub forms: BTreeSet<CodeForm>,
    /// Were some floats not equal to the expected ones, and near enough?
    pub within_tolerance: bool,
}

impl CaseOutcome {
    /// A verdict on a case of which nothing else is known.
    pub const fn of(verdict: Verdict) -> CaseOutcome {
        CaseOutcome { verdict, forms: BTreeSet::new(), within_tolerance: false }
    }
}

/// One result that was not as expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The file.
    pub path: String,
    /// The place in the file.
    pub at: FilePlace,
    /// The problem, in one or more lines.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.at.line {
            0 => write!(f, "{}: {}", self.path, self.message),
            line => write!(f, "{}:{line}:{}: {}", self.path, self.at.column.max(1), self.message),
        }
    }
}
