//! Reports: what a rule says to a person.
//!
//! A [`Diagnostic`] is made where a rule is broken, gathered in a list (all are found before any is shown), and rendered as rustc renders its own by
//! [`render`]. Texts speak the language of the source: names, operators, types in text form; never an arena index, never `{:?}`.
//!
//! How to write one: `message` says what is wrong in one line without position; the primary label says what is wrong *with this piece*; further labels
//! show the other pieces that take part; notes give the rule; help says what to do instead. Every code has a paragraph in `docs/errors.md` and a `.kir`
//! file that shows it.

mod codes;
mod render;
mod reports;

pub use codes::Code;
pub use render::{Colour, render};
pub(crate) use reports::{DiagnosticList, MAX_SHOWN, cut};

use crate::pos::Pos;

/// One report.
#[derive(Clone, PartialEq, Debug)]
pub struct Diagnostic {
    /// Which rule.
    pub code: Code,
    /// What is wrong, in one line.
    pub message: String,
    /// The pieces of source that take part, the primary ones first.
    pub labels: Vec<SourceLabel>,
    /// The rule behind it, one sentence each.
    pub notes: Vec<String>,
    /// What to do, one sentence each.
    pub helps: Vec<String>,
}

/// A piece of source in a report. Unlike in a kernel, where it stands is part of what it is.
#[derive(Clone, Debug)]
pub struct SourceLabel {
    /// Where.
    pub pos: Pos,
    /// What about it; may be empty.
    pub text: String,
    /// Is this the piece that is wrong?
    pub primary: bool,
}

impl PartialEq for SourceLabel {
    fn eq(&self, other: &SourceLabel) -> bool {
        self.pos.key() == other.pos.key() && self.text == other.text && self.primary == other.primary
    }
}

impl Diagnostic {
    /// A report without any piece of source yet.
    pub fn new(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into(), labels: Vec::new(), notes: Vec::new(), helps: Vec::new() }
    }

    /// Adds the piece that is wrong.
    #[must_use]
    pub fn at(mut self, pos: Pos, text: impl Into<String>) -> Diagnostic {
        self.labels.push(SourceLabel { pos, text: text.into(), primary: true });
        self
    }

    /// Adds another piece.
    #[must_use]
    pub fn and(mut self, pos: Pos, text: impl Into<String>) -> Diagnostic {
        self.labels.push(SourceLabel { pos, text: text.into(), primary: false });
        self
    }

    /// Adds a note.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds help.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(text.into());
        self
    }

    /// Where it is: the first primary piece, if its position is known.
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
