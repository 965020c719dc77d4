//! The text form of kernels. `docs/ir.md` is its specification.
//!
//! [`parse`] and [`parse_all`] read it, [`print`](fn@print) writes it. Reading what was printed gives an equal kernel, as far as the text form can say it at all;
//! what it can not say (a view index on something that is no view, a `break` to a label that is not around it) no checked kernel contains.

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
pub use print::print;

/// Why a text is no kernel: reports, and the sources that they point into.
#[derive(Clone, Debug)]
pub struct TextFailure {
    /// The reports, in the order of the text. Of very many the first; the last of these says that there are more.
    pub diagnostics: Vec<Diagnostic>,
    /// The text itself and libraries.
    pub sources: Sources,
}

impl TextFailure {
    /// The reports as rustc would print them.
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

/// Reads the one kernel of a text. `name` is the file's, for messages.
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
        // Unreachable: `parse_all` gives one or more.
        None => Err(TextFailure { diagnostics: Vec::new(), sources: Sources::one(name, Some(text)) }),
    }
}

/// Reads a text of one or more kernels: at most 4 MiB of it. A byte order mark at its beginning means nothing.
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

/// The failure of a text that is too long. Its lines are not shown: nobody is to keep such a text.
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

/// The same kernel with positions that point into its own printed text, for kernels that have no text of their own.
pub fn with_positions(kernel: &Kernel) -> Kernel {
    let name = format!("<kernel {}>", kernel.name());
    match parse(&name, &print(kernel)) {
        Ok(read) if read == *kernel => read,
        // What the text can not say keeps the positions it has.
        _ => kernel.clone(),
    }
}
