//! Diagnostics: reports of broken rules for a person, and their rendering.
//!
//! The code that detects a broken rule makes a [`Diagnostic`]; a list collects them (all are found
//! before any is shown); [`render`] prints them in the style of rustc. Texts use the vocabulary of
//! the source: names, operators, types in text form; never an arena index, never `{:?}`.
//!
//! How to write one: `message` states the error in one line without a position; the primary label
//! states what is wrong *with this piece* of source; further labels show the other pieces involved;
//! notes give the rule; help suggests a fix. Every code has a paragraph in `docs/errors.md` and a
//! `.kir` file that shows it.
//!
//! | module | contents |
//! |---|---|
//! | `codes` | [`Code`]: every code and its rule |
//! | `render` | [`render`] |
//! | `shader_words` | reports about shaders in the words of shaders |
//! | `reports` | the bounded list of diagnostics under collection |

mod codes;
mod render;
mod reports;
mod shader_words;

pub use codes::Code;
pub use render::{Colour, render};
pub(crate) use reports::{DiagnosticList, MAX_SHOWN, cut};
pub use shader_words::{is_shader, shader_words};

use crate::pos::Pos;

/// Whether a kernel may run in spite of a report.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Severity {
    /// It may not.
    Error,
    /// It may.
    Warning,
}

/// A report of one broken rule.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// The broken rule.
    pub code: Code,
    /// Whether the kernel may run nevertheless.
    pub severity: Severity,
    /// The error, in one line.
    pub message: String,
    /// The pieces of source involved, primary ones first.
    pub labels: Vec<SourceLabel>,
    /// The rule, one sentence each.
    pub notes: Vec<String>,
    /// Suggested fixes, one sentence each.
    pub helps: Vec<String>,
}

/// A labelled piece of source in a diagnostic. Unlike in a kernel, equality compares its position.
#[derive(Clone, Debug)]
pub struct SourceLabel {
    /// Its position.
    pub pos: Pos,
    /// The text of the label; may be empty.
    pub text: String,
    /// Whether this piece is the error itself.
    pub primary: bool,
}

impl PartialEq for SourceLabel {
    fn eq(&self, other: &SourceLabel) -> bool {
        self.pos.key() == other.pos.key() && self.text == other.text && self.primary == other.primary
    }
}

impl Diagnostic {
    /// A diagnostic without labels.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        let (severity, message) = (Severity::Error, message.into());
        Diagnostic { code, severity, message, labels: Vec::new(), notes: Vec::new(), helps: Vec::new() }
    }

    /// A diagnostic of a kernel that may run, without labels.
    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::new(code, message) }
    }

    /// Adds a primary label.
    #[must_use]
    pub fn at(mut self, pos: Pos, text: impl Into<String>) -> Diagnostic {
        self.labels.push(SourceLabel { pos, text: text.into(), primary: true });
        self
    }

    /// Adds a secondary label.
    #[must_use]
    pub fn and(mut self, pos: Pos, text: impl Into<String>) -> Diagnostic {
        self.labels.push(SourceLabel { pos, text: text.into(), primary: false });
        self
    }

    /// Adds a note: a sentence on the rule.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds a help: a suggested fix.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// The position of the first primary label, if it is known.
    pub fn pos(&self) -> Option<Pos> {
        self.labels.iter().find(|label| label.primary).map(|label| label.pos).filter(|pos| pos.is_known())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_report_at_another_place_is_another_report() {
        let at = |line| Diagnostic::new(Code::K0001, "wrong").at(Pos { source: 0, line, column: 1, length: 1 }, "here");
        assert!(at(1) == at(1));
        assert!(at(1) != at(2));
    }
}
