//! Parses and prints the text form of kernels, which `docs/ir.md` specifies.
//!
//! [`parse`] and [`parse_all`] read it, [`print`](fn@print) writes it. Parsing a printed kernel
//! gives an equal kernel if the text form can express it; no checked kernel contains the exceptions
//! (a view index on a value that is not a view, a `break` to a label of a construct that does not
//! enclose it), but one whose text has more than 4 MiB does not parse again.
//!
//! | module | purpose |
//! |---|---|
//! | `lex`, `number` | tokens; literals |
//! | `parse` | the parser |
//! | `print` | the printer |
//! | `operators` | operators and their precedence, for both |
//! | [`library`] | functions of the libraries, linked on first use |

mod lex;
pub mod library;
mod number;
pub(crate) mod operators;
mod parse;
mod print;
#[cfg(test)]
mod tests;

use std::fmt;

use crate::build::Builder;
use crate::diag::{Code, Colour, Diagnostic, cut, render};
use crate::kernel::Kernel;
use crate::limits::{MAX_NESTING, MAX_TEXT};
use crate::pos::{Pos, Source, Sources};
use crate::stack::with_levels;

pub use library::link;
pub use operators::operation;
pub use print::print;

/// The reports on a text that does not parse, and the sources that they refer to.
#[derive(Clone, Debug)]
pub struct TextFailure {
    /// The reports in source order. If there are too many, only the first; the last one then states
    /// that there are more.
    pub diagnostics: Vec<Diagnostic>,
    /// The text itself and the libraries used.
    pub sources: Sources,
}

impl TextFailure {
    /// The reports in the style of rustc.
    pub fn render(&self, colour: Colour) -> String {
        render(&self.diagnostics, &self.sources, colour)
    }
}

impl fmt::Display for TextFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(Colour::Never))
    }
}

impl std::error::Error for TextFailure {}

/// Parses a text with one kernel. `name` is the file name for messages.
pub fn parse(name: &str, text: &str) -> Result<Kernel, TextFailure> {
    let mut kernels = parse_all(name, text)?;
    if kernels.len() > 1 {
        let second = kernels[1].entry().pos();
        let report = Diagnostic::new(Code::K0010, "this text has more than one kernel")
            .at(second, "the second one")
            .and(kernels[0].entry().pos(), "the first one");
        return Err(TextFailure { diagnostics: vec![report], sources: Sources::one(name, Some(text)) });
    }
    match kernels.pop() {
        Some(kernel) => Ok(kernel),
        // Unreachable: `parse_all` returns at least one.
        None => Err(TextFailure { diagnostics: Vec::new(), sources: Sources::one(name, Some(text)) }),
    }
}

/// Parses a text with one or more kernels, of at most 4 MiB. Ignores a byte order mark at its
/// beginning.
pub fn parse_all(name: &str, text: &str) -> Result<Vec<Kernel>, TextFailure> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    if text.len() > MAX_TEXT {
        return Err(too_long(name, text));
    }
    with_levels(MAX_NESTING, || read(name, text))
}

fn read(name: &str, text: &str) -> Result<Vec<Kernel>, TextFailure> {
    let (tokens, stray) = lex::lex(text);
    let (stray, dropped) = stray.into_parts();
    let mut b = Builder::new("", 1, None);
    let source = b.source(Source { name: name.into(), text: Some(text.into()) });
    let mut parser = parse::Parser::new(&tokens, source, &mut b, None);
    parser.reports = stray;
    let kernels = parser.file();
    let mut reports = std::mem::take(&mut parser.reports);
    let unread = parser.left_unread();
    let sources = parser.sources();
    if reports.is_empty() && kernels.is_empty() {
        let end = tokens.last().map_or(Pos::NONE, |token| token.pos);
        let report = Diagnostic::new(Code::K0010, "this text has no kernel")
            .at(end, "expected `kernel name(..) rank(..) { .. }`");
        reports.push(report);
    }
    if reports.is_empty() {
        return Ok(kernels);
    }
    reports.sort_by_key(|report| report.pos().map_or((u32::MAX, 0, 0), |pos| (pos.source, pos.line, pos.column)));
    reports.dedup();
    cut(&mut reports, dropped);
    if let Some(last) = reports.last_mut().filter(|_| unread) {
        last.notes.push("there is more wrong: not all of the text was read".to_owned());
    }
    Err(TextFailure { diagnostics: reports, sources })
}

/// The failure for a text that is too long. The report does not show its lines, so the text need
/// not be kept.
fn too_long(name: &str, text: &str) -> TextFailure {
    let read = &text[..text.floor_char_boundary(MAX_TEXT)];
    let line = read.bytes().filter(|&byte| byte == b'\n').count() + 1;
    let column = read.rsplit('\n').next().map_or(0, |rest| rest.chars().count()) + 1;
    let pos = Pos { source: 0, line: line as u32, column: column as u32, length: 1 };
    let report = Diagnostic::new(Code::K0018, format!("a text of {} bytes", text.len()))
        .at(pos, "from here on it is too much")
        .note(format!("a text has at most {MAX_TEXT} bytes"))
        .help("divide the file; data belongs into views, which a program fills");
    TextFailure { diagnostics: vec![report], sources: Sources::one(name, None) }
}

/// The same kernel with positions in its own printed text, for kernels without a source text.
pub fn with_positions(kernel: &Kernel) -> Kernel {
    let name = format!("<kernel {}>", kernel.name());
    match parse(&name, &print(kernel)) {
        Ok(read) if read == *kernel => read,
        // A kernel that the text form cannot express keeps its positions.
        _ => kernel.clone(),
    }
}
