//! The verdict on a case. Only `Pass` counts as passed.

use std::any::Any;
use std::collections::BTreeSet;
use std::fmt;

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_ir::stack::NoStack;

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

/// What is said of work that ended by unwinding: by a panic, or because the system had no memory for a stack, which is
/// no bug.
pub(crate) fn unwound(payload: &(dyn Any + Send)) -> String {
    if let Some(none) = payload.downcast_ref::<NoStack>() {
        return format!("{none}\n  help: end other programs, or run fewer cases at a time");
    }
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
    format!("Tilewise panicked: {text}\n  help: this is a bug of Tilewise, whatever the file says")
}

#[cfg(test)]
mod tests {
    use std::panic::{catch_unwind, resume_unwind};

    use tilewise_ir::stack::with_bytes;

    use super::*;

    #[test]
    fn what_has_no_memory_for_a_stack_is_no_bug() {
        let said = |work: fn()| catch_unwind(work).map_err(|payload| unwound(&*payload)).unwrap_err();
        let none = said(|| with_bytes(usize::MAX / 2, || ()));
        assert!(none.starts_with("out of memory: there is no room for a stack") && !none.contains("bug"), "{none}");
        let panicked = said(|| resume_unwind(Box::new("out of paper")));
        assert!(panicked.starts_with("Tilewise panicked: out of paper") && panicked.contains("a bug"), "{panicked}");
        assert!(said(|| resume_unwind(Box::new(7))).starts_with("Tilewise panicked: without a message"));
    }
}
