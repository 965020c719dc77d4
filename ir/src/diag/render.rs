//! Rendering of reports, in rustc's form. The only file that knows `annotate-snippets`.

use std::borrow::Cow;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};

use super::Diagnostic;
use crate::pos::{Pos, Sources};

/// Are reports coloured?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Colour {
    /// Plain text.
    Never,
    /// ANSI colours.
    Always,
}

/// The reports as text, one after the other with an empty line between.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, colour: Colour) -> String {
    let renderer = match colour {
        Colour::Never => Renderer::plain(),
        Colour::Always => Renderer::styled(),
    };
    // Read once, and only what a report points into.
    let pointed = |i: usize| {
        diagnostics.iter().flat_map(|it| &it.labels).any(|label| label.pos.is_known() && label.pos.source as usize == i)
    };
    let texts: Vec<Option<Cow<'_, str>>> =
        sources.list.iter().enumerate().map(|(i, source)| if pointed(i) { source.read() } else { None }).collect();
    let mut out = String::new();
    for (i, diagnostic) in diagnostics.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out += &renderer.render(&groups(diagnostic, sources, &texts));
        out.push('\n');
    }
    out
}

fn groups<'a>(diagnostic: &'a Diagnostic, sources: &'a Sources, texts: &'a [Option<Cow<'_, str>>]) -> Vec<Group<'a>> {
    let title = Level::ERROR.primary_title(&diagnostic.message).id(diagnostic.code.name());
    let mut group = Group::with_title(title);
    let mut bare: Vec<String> = Vec::new();
    for (i, source) in sources.list.iter().enumerate() {
        let here = diagnostic.labels.iter().filter(|label| label.pos.is_known() && label.pos.source as usize == i);
        match texts.get(i).and_then(Option::as_ref) {
            Some(text) => {
                let mut snippet = Snippet::source(&**text).path(&*source.name).fold(true);
                let mut any = false;
                for label in here {
                    let kind = if label.primary { AnnotationKind::Primary } else { AnnotationKind::Context };
                    snippet = snippet.annotation(kind.span(byte_range(text, label.pos)).label(&label.text));
                    any = true;
                }
                if any {
                    group = group.element(snippet);
                }
            }
            None => bare.extend(here.map(|label| {
                let place = sources.show(label.pos).unwrap_or_default();
                if label.text.is_empty() { format!("at {place}") } else { format!("at {place}: {}", label.text) }
            })),
        }
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

/// The bytes a position stands for, cut to its line.
fn byte_range(text: &str, pos: Pos) -> std::ops::Range<usize> {
    let line_start = text.split_inclusive('\n').take(pos.line.saturating_sub(1) as usize).map(str::len).sum::<usize>();
    let line = text[line_start..].lines().next().unwrap_or("");
    let nth = |n: u32| line.char_indices().nth(n as usize).map_or(line.len(), |(i, _)| i);
    let first = pos.column.saturating_sub(1);
    let start = line_start + nth(first);
    let end = line_start + nth(first.saturating_add(pos.length));
    start..end
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
            1 | //! Rendering of reports, in rustc's form. The only file that knows `annotate-snippets`.
              | ^^^ here
              |
              = note: at no/such/file.rs:7:2: and there
        "#]]
        .assert_eq(&render(&[report], &sources, Colour::Never));
    }
}
