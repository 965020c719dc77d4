//! Rendering of diagnostics in rustc's format. The only file that uses `annotate-snippets`.

use std::borrow::Cow;
use std::ops::Range;

use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};

use super::shader_words::in_words_of;
use super::{Diagnostic, Severity, SourceLabel};
use crate::pos::{Pos, Sources};

/// Whether output is coloured.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI colours.
    Always,
}

/// Renders the diagnostics as text, separated by empty lines.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: Colour) -> String {
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    // Each source is read once, and only if a label refers to it.
    let pointed = |i: usize| {
        diagnostics.iter().flat_map(|it| &it.labels).any(|label| label.pos.is_known() && label.pos.source as usize == i)
    };
    let texts: Vec<Option<LineIndex<'_>>> = sources
        .list
        .iter()
        .enumerate()
        .map(|(i, source)| if pointed(i) { source.read().map(LineIndex::new) } else { None })
        .collect();
    let mut out = String::new();
    let diagnostics: Vec<_> = diagnostics.iter().map(|report| in_words_of(report, sources)).collect();
    for (i, diagnostic) in diagnostics.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out += &renderer.render(&groups(diagnostic, sources, &texts));
        out.push('\n');
    }
    out
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources, texts: &'a [Option<LineIndex<'_>>]) -> Vec<Group<'a>> {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let title = level.primary_title(&diagnostic.message).id(diagnostic.code.name());
    let mut group = Group::with_title(title);
    let mut bare: Vec<String> = Vec::new();
    for (i, source) in sources.list.iter().enumerate() {
        let here = diagnostic.labels.iter().filter(|label| label.pos.is_known() && label.pos.source as usize == i);
        match texts.get(i).and_then(Option::as_ref) {
            Some(text) => {
                let here: Vec<&SourceLabel> = here.collect();
                if here.is_empty() {
                    continue;
                }
                let (first, shown) = text.around(here.iter().map(|label| label.pos.line));
                let mut snippet = Snippet::source(&text.text[shown.clone()]).line_start(first).path(&*source.name);
                snippet = snippet.fold(true);
                for label in here {
                    let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                    let bytes = text.bytes_of(label.pos);
                    let bytes = bytes.start - shown.start..bytes.end - shown.start;
                    snippet = snippet.annotation(kind.span(bytes).label(&label.text));
                }
                group = group.element(snippet);
            }
            None => bare.extend(here.map(|label| {
                let place = sources.show(label.pos).unwrap_or_default();
                if label.text.is_empty() { format!("at {place}") } else { format!("at {place}: {}", label.text) }
            })),
        }
    }
    // A report about a whole file names it.
    if let ([source], false) = (&sources.list[..], diagnostic.labels.iter().any(|label| label.pos.is_known())) {
        group = group.element(Origin::path(&*source.name));
    }
    for text in bare {
        group = group.element(Level::NOTE.message(text));
    }
    for note in &diagnostic.notes {
        group = group.element(Level::NOTE.message(note));
    }
    for help in &diagnostic.helps {
        group = group.element(Level::HELP.message(help));
    }
    vec![group]
}

/// A text and the offsets of its lines.
struct LineIndex<'a> {
    text: Cow<'a, str>,
    starts: Vec<usize>,
}

impl<'a> LineIndex<'a> {
    fn new(text: Cow<'a, str>) -> LineIndex<'a> {
        let starts = text.split_inclusive('\n').scan(0, |at, line| {
            *at += line.len();
            Some(*at)
        });
        let starts = [0].into_iter().chain(starts).collect();
        LineIndex { text, starts }
    }

    /// The byte offset of a line, counted from 1; a line beyond the last has the offset of the end.
    fn start(&self, line: u32) -> usize {
        self.starts.get((line as usize).saturating_sub(1)).copied().unwrap_or(self.text.len())
    }

    /// The range of whole lines that covers these, and the number of its first line. The renderer
    /// need not scan the rest.
    fn around(&self, lines: impl Iterator<Item = u32>) -> (usize, Range<usize>) {
        let (first, last) = lines.fold((u32::MAX, 0), |(first, last), line| (first.min(line), last.max(line)));
        // A position beyond the last line is shown at its end.
        let first = first.min(self.starts.len().saturating_sub(1) as u32).max(1);
        (first as usize, self.start(first)..self.start(last.saturating_add(1)))
    }

    /// The byte range of a position, cut to its line.
    fn bytes_of(&self, pos: Pos) -> Range<usize> {
        let line_start = self.start(pos.line);
        let line = self.text[line_start..].lines().next().unwrap_or("");
        let nth = |n: u32| line.char_indices().nth(n as usize).map_or(line.len(), |(i, _)| i);
        let first = pos.column.saturating_sub(1);
        line_start + nth(first)..line_start + nth(first.saturating_add(pos.length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Code;

    #[test]
    fn a_report_is_rendered_as_rustc_does() {
        let sources = Sources::one("a.kir", Some("let x = 1;\nlet y = ä + 2;\n"));
        let at = |line, column, length| Pos { source: 0, line, column, length };
        let report = Diagnostic::new(Code::K0001, "unknown name `ä`")
            .at(at(2, 9, 1), "not known here")
            .and(at(1, 5, 1), "a similar name")
            .note("names are ASCII")
            .help("use `x`");
        expect_test::expect![[r#"
            error[K0001]: unknown name `ä`
             --> a.kir:2:9
              |
            1 | let x = 1;
              |     - a similar name
            2 | let y = ä + 2;
              |         ^ not known here
              |
              = note: names are ASCII
              = help: use `x`
        "#]]
        .assert_eq(&render(&[report], &sources, Colour::Never));
    }

    #[test]
    fn the_lines_of_a_rust_file_are_read_when_they_are_shown() {
        let mut sources = Sources::one("ir/src/diag/render.rs", None);
        sources.add(crate::pos::Source { name: "no/such/file.rs".into(), text: None });
        let report = Diagnostic::new(Code::K0001, "wrong")
            .at(Pos { source: 0, line: 1, column: 1, length: 3 }, "here")
            .and(Pos { source: 1, line: 7, column: 2, length: 1 }, "and there");
        expect_test::expect![[r#"
            error[K0001]: wrong
             --> ir/src/diag/render.rs:1:1
              |
            1 | //! Rendering of diagnostics in rustc's format. The only file that uses `annotate-snippets`.
              | ^^^ here
              |
              = note: at no/such/file.rs:7:2: and there
        "#]]
        .assert_eq(&render(&[report], &sources, Colour::Never));
    }
}
