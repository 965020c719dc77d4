//! What a case came to. Only pass is pass.

use std::fmt;

use crate::kir::FilePlace;

/// What a case came to on a target.
#[derive(Clone, PartialEq, Debug)]
pub enum Verdict {
    /// Everything was as expected.
    Pass,
    /// Something was not.
    Fail(Vec<Problem>),
    /// The target cannot do what the case needs: the reason.
    Unsupported(String),
    /// The case was not run: the reason.
    NotRun(String),
}

impl Verdict {
    /// One word for tables.
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Pass => "pass",
            Verdict::Fail(_) => "fail",
            Verdict::Unsupported(_) => "unsupported",
            Verdict::NotRun(_) => "not-run",
        }
    }

    /// Why it is no pass.
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::Pass => None,
            Verdict::Fail(problems) => Some(problems.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")),
            Verdict::Unsupported(reason) | Verdict::NotRun(reason) => Some(reason.clone()),
        }
    }
}

/// One thing that was not as expected.
#[derive(Clone, PartialEq, Debug)]
pub struct Problem {
    /// The file.
    pub path: String,
    /// Where in the file.
    pub at: FilePlace,
    /// What, in one or more lines.
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
