//! What came of a text, as data that the page shows. The names of fields are those of the JSON.

use serde::Serialize;
use tilewise_ir::diag::{Colour, Diagnostic, Severity, is_shader, render, shader_words};
use tilewise_ir::pos::{Pos, Sources};

/// What came of a text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct TextAnswer {
    /// The worst verdict of its runs.
    pub outcome: RunVerdict,
    /// Errors and warnings of the kernel and of the header.
    pub diagnostics: Vec<PageMessage>,
    /// The runs, none if the text is rejected.
    pub runs: Vec<RunAnswer>,
    /// Header lines for a text that does not say how to launch it.
    pub suggestion: Option<String>,
}

/// How a run ended, or why there was none; from the best to the worst.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RunVerdict {
    /// It completed, and the checks have nothing to report.
    Clean,
    /// It completed, and the checks have reports.
    Reported,
    /// Contents are not those that the header expects.
    Different,
    /// A thread ended with `error` or `abort`.
    Failed,
    /// Threads of a tile did not meet at a barrier.
    Diverged,
    /// The first report ended it.
    Stopped,
    /// The limit on instructions ended it.
    OutOfFuel,
    /// The checks had no memory left.
    OutOfMemory,
    /// The launch was refused: nothing ran.
    Refused,
    /// The text does not say how to launch the kernel, which has no errors.
    Unlaunched,
    /// The kernel or its header has errors.
    Rejected,
}

/// What came of one run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RunAnswer {
    /// Its name, if the file has several.
    pub name: Option<String>,
    /// How it ended.
    pub outcome: RunVerdict,
    /// The same in a sentence.
    pub summary: String,
    /// Instructions of all threads.
    pub instructions: u64,
    /// What the checks found, a divergence, an `error`.
    pub reports: Vec<PageMessage>,
    /// Findings beyond the limit on reports.
    pub more_reports: u64,
    /// Printed lines.
    pub printed: Vec<PrintedLine>,
    /// Bytes of printed lines beyond what is shown.
    pub lost: u64,
    /// Contents of the parameters.
    pub results: Vec<ResultTable>,
}

/// A printed line.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct PrintedLine {
    /// The linear index of the thread.
    pub thread: u64,
    /// The line.
    pub text: String,
}

/// The contents of a parameter after the run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct ResultTable {
    /// Its name.
    pub name: String,
    /// Its extent; a buffer has one dimension.
    pub shape: Vec<i32>,
    /// May the kernel write it?
    pub writable: bool,
    /// Its first elements, in order.
    pub values: Vec<String>,
    /// Elements that are not shown.
    pub more: u64,
    /// The elements among them that the run has changed.
    pub changed: Vec<u32>,
    /// All elements that it has changed.
    pub changed_count: u64,
    /// Does the header expect contents of it?
    pub expected: bool,
    /// The first elements that are not as expected, each with its index and the expected value.
    pub wrong: Vec<WrongElement>,
    /// All elements that are not as expected.
    pub wrong_count: u64,
}

/// An element that is not as the header expects.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct WrongElement {
    /// Its number.
    pub index: u32,
    /// What the header expects.
    pub expected: String,
}

/// A message with its places in the text.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageMessage {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// The code, such as `K0802`; empty if it has none.
    pub code: String,
    /// The message, in one line.
    pub message: String,
    /// Its place; line 0 if it has none in the text.
    #[serde(flatten)]
    pub place: TextPlace,
    /// The pieces of the text that it is about, the place itself first.
    pub labels: Vec<PageLabel>,
    /// Sentences on the rule.
    pub notes: Vec<String>,
    /// Suggested fixes.
    pub help: Vec<String>,
    /// All of it as the program `tilewise` prints it.
    pub rendered: String,
}

/// A piece of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct TextPlace {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
    /// The length in characters.
    pub length: u32,
}

/// A piece of the text in a message.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct PageLabel {
    /// The piece.
    #[serde(flatten)]
    pub place: TextPlace,
    /// What is said about it; may be empty.
    pub text: String,
    /// Is it the place of the message itself?
    pub primary: bool,
}

impl TextPlace {
    /// A place in the text; none for a place in another source, such as the library of math functions.
    pub fn of(pos: Pos) -> TextPlace {
        if pos.source != 0 || !pos.is_known() {
            return TextPlace::default();
        }
        TextPlace { line: pos.line, column: pos.column, length: pos.length.max(1) }
    }
}

impl PageMessage {
    /// A report of the checker, the importer or a check.
    pub fn of(report: &Diagnostic, sources: &Sources) -> PageMessage {
        let in_shader = sources.list.first().is_some_and(|source| is_shader(&source.name));
        let words = |text: &String| if in_shader { shader_words(text) } else { text.clone() };
        let labels = report.labels.iter().map(|label| PageLabel {
            place: TextPlace::of(label.pos),
            text: words(&label.text),
            primary: label.primary,
        });
        PageMessage {
            severity: match report.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: report.code.name().to_owned(),
            message: words(&report.message),
            place: report.pos().map_or(TextPlace::default(), TextPlace::of),
            labels: labels.filter(|label| label.place.line != 0).collect(),
            notes: report.notes.iter().map(words).collect(),
            help: report.helps.iter().map(words).collect(),
            rendered: render(std::slice::from_ref(report), sources, Colour::Never),
        }
    }

    /// An error without a code.
    pub fn plain(place: TextPlace, message: impl Into<String>, help: impl Into<String>) -> PageMessage {
        let (message, help) = (message.into(), help.into());
        let at = if place.line == 0 { String::new() } else { format!("\n  --> {}:{}", place.line, place.column) };
        let helps = if help.is_empty() { String::new() } else { format!("\n  = help: {help}") };
        PageMessage {
            severity: "error",
            code: String::new(),
            rendered: format!("error: {message}{at}{helps}\n"),
            message,
            place,
            labels: Vec::new(),
            notes: Vec::new(),
            help: if help.is_empty() { Vec::new() } else { vec![help] },
        }
    }
}
