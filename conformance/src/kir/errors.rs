//! Compares the error annotations of a file with the errors it is rejected with, and those of
//! warnings with the warnings of an accepted kernel.

use tilewise_ir::diag::{Diagnostic, Severity};
use tilewise_ir::pos::{Pos, Sources};

use super::FilePlace;
use super::scan::{AnnotatedPlace, Annotation, Scanned};

/// One line of an error annotation. Secondary labels, notes and helps are compared only in files
/// that have some.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ExpectedError {
    /// The place.
    pub spot: AnnotatedPlace,
    /// Its rank within the error: 0 for the error itself, 1 for labels, 2 for notes and helps.
    pub rank: u8,
    /// Is the sign `^`, not `-`?
    pub primary: bool,
    /// `error[K0101]: message` or `warning[K0503]: message`, the label's text, or `note: ..`.
    pub text: String,
}

/// The details that a file checks beyond the errors themselves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Detail {
    /// All labels.
    pub labels: bool,
    /// All notes and helps.
    pub notes: bool,
}

/// The beginning of an annotation that is an error.
pub const ERROR: &str = "error[";

/// The beginning of an annotation that is a warning.
pub const WARNING: &str = "warning[";

/// Does the file have error annotations?
pub fn any(scanned: &Scanned) -> bool {
    scanned.annotations.iter().any(|annotation| annotation.primary && annotation.text.starts_with(ERROR))
}

/// Does the file have annotations of warnings? Only then are they compared.
pub fn any_warning(scanned: &Scanned) -> bool {
    scanned.annotations.iter().any(|annotation| annotation.primary && annotation.text.starts_with(WARNING))
}

fn is_error(annotation: &Annotation) -> bool {
    annotation.primary && (annotation.text.starts_with(ERROR) || annotation.text.starts_with(WARNING))
}

fn is_note(annotation: &Annotation) -> bool {
    annotation.spot == AnnotatedPlace::Above
        && (annotation.text.starts_with("note:") || annotation.text.starts_with("help:"))
}

fn is_label(annotation: &Annotation) -> bool {
    annotation.spot != AnnotatedPlace::Above && !is_error(annotation) && !annotation.text.starts_with('#')
}

/// Is this annotation part of an expected error?
pub fn takes_part(annotation: &Annotation) -> bool {
    is_error(annotation) || is_note(annotation) || is_label(annotation)
}

/// The details that the file checks.
pub fn detail(scanned: &Scanned) -> Detail {
    Detail { labels: scanned.annotations.iter().any(is_label), notes: scanned.annotations.iter().any(is_note) }
}

/// The errors that a file expects, each with its lines.
pub fn expected(scanned: &Scanned) -> Vec<(FilePlace, Vec<ExpectedError>)> {
    let mut out: Vec<(FilePlace, Vec<ExpectedError>)> = Vec::new();
    let mut loose: Vec<(FilePlace, ExpectedError)> = Vec::new();
    for annotation in scanned.annotations.iter().filter(|a| takes_part(a)) {
        let at = FilePlace { line: annotation.line, column: annotation.column };
        let (spot, primary, text) = (annotation.spot, annotation.primary, annotation.text.clone());
        if is_error(annotation) {
            out.push((at, vec![ExpectedError { spot, rank: 0, primary, text }]));
        } else if is_note(annotation) {
            // A note belongs to the error above it.
            if let Some((_, lines)) = out.last_mut() {
                lines.push(ExpectedError { spot, rank: 2, primary, text });
            }
        } else {
            loose.push((at, ExpectedError { spot, rank: 1, primary, text }));
        }
    }
    out.extend(loose.into_iter().map(|(at, line)| (at, vec![line])));
    out
}

/// The reported errors, in the form of annotations. Labels are items of their own, because their
/// lines in a file may stand anywhere.
pub fn reported(
    diagnostics: &[Diagnostic],
    sources: &Sources,
    scanned: &Scanned,
    text: &str,
    detail: Detail,
) -> Vec<Vec<ExpectedError>> {
    let place = |pos: Option<Pos>| match pos.filter(|pos| pos.is_known()) {
        // A place in another source, such as the library's, has no line here.
        Some(pos) if pos.source == 0 && !sources.list.is_empty() => place(pos, scanned, text),
        _ => AnnotatedPlace::Nowhere,
    };
    let mut out = Vec::new();
    for diagnostic in diagnostics {
        let severity = match diagnostic.severity {
            Severity::Error => ERROR,
            Severity::Warning => WARNING,
        };
        let text = format!("{severity}{}]: {}", diagnostic.code, one_line(&diagnostic.message));
        let mut lines = vec![ExpectedError { spot: place(diagnostic.pos()), rank: 0, primary: true, text }];
        if detail.notes {
            let notes = diagnostic.notes.iter().map(|text| format!("note: {}", one_line(text)));
            let helps = diagnostic.helps.iter().map(|text| format!("help: {}", one_line(text)));
            lines.extend(notes.chain(helps).map(|text| ExpectedError {
                spot: AnnotatedPlace::Above,
                rank: 2,
                primary: false,
                text,
            }));
        }
        out.push(lines);
        if detail.labels {
            for label in diagnostic.labels.iter().filter(|label| !label.text.is_empty()) {
                let line = ExpectedError {
                    spot: place(Some(label.pos)),
                    rank: 1,
                    primary: label.primary,
                    text: one_line(&label.text),
                };
                if !out.contains(&vec![line.clone()]) {
                    out.push(vec![line]);
                }
            }
        }
    }
    out
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The place of a position. A position after the last character of the kernel is the end of the
/// file, so that annotations below do not move it.
fn place(pos: Pos, scanned: &Scanned, text: &str) -> AnnotatedPlace {
    let lines: Vec<&str> = text.lines().collect();
    let empty_from = |first: usize| {
        (first..lines.len()).all(|i| lines[i].trim().is_empty() || scanned.is_annotation.get(i) == Some(&true))
    };
    let line = pos.line as usize;
    let within = lines.get(line - 1).is_some_and(|text| {
        scanned.is_annotation.get(line - 1) == Some(&false) && (pos.column as usize) <= text.trim_end().chars().count()
    });
    if !within && empty_from(line) {
        return AnnotatedPlace::End;
    }
    AnnotatedPlace::Stretch { line: pos.line, column: pos.column, length: pos.length }
}

/// The differences, each with its place in the test file.
pub fn compare(
    expected: &[(FilePlace, Vec<ExpectedError>)],
    reported: &[Vec<ExpectedError>],
) -> Vec<(FilePlace, String)> {
    let mut out = Vec::new();
    let mut left: Vec<&Vec<ExpectedError>> = reported.iter().collect();
    let mut missing = Vec::new();
    for (at, lines) in expected {
        match left.iter().position(|other| *other == lines) {
            Some(i) => {
                left.remove(i);
            }
            None => missing.push((*at, lines)),
        }
    }
    for (at, lines) in missing {
        // The nearest remaining error is probably the changed form of this one.
        let near = left.iter().position(|other| {
            other[0].rank == lines[0].rank && (other[0].spot == lines[0].spot || other[0].text == lines[0].text)
        });
        let message = match near.map(|i| left.remove(i)) {
            Some(other) => format!("reported otherwise\n  expected: {}\n  got:      {}", show(lines), show(other)),
            None => format!("not reported\n  expected: {}", show(lines)),
        };
        out.push((at, message));
    }
    for lines in left {
        let at = match lines[0].spot {
            AnnotatedPlace::Stretch { line, column, .. } => FilePlace { line, column },
            _ => FilePlace::default(),
        };
        out.push((at, format!("reported, and not expected\n  got:      {}", show(lines))));
    }
    out
}

fn show(lines: &[ExpectedError]) -> String {
    let shown: Vec<String> = lines
        .iter()
        .map(|line| match line.spot {
            AnnotatedPlace::Stretch { line: number, column, length } => {
                let what = if line.rank == 1 { if line.primary { "^ " } else { "- " } } else { "" };
                format!("{number}:{column}, length {length}: {what}{}", line.text)
            }
            AnnotatedPlace::End => format!("end of the file: {}", line.text),
            AnnotatedPlace::Nowhere => format!("no place: {}", line.text),
            AnnotatedPlace::Above => format!("= {}", line.text),
        })
        .collect();
    shown.join("\n            ")
}
