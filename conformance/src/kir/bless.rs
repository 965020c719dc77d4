//! Blessing: writes actual results into the file, as expectations, marks and error annotations.
//! Inputs and entries that hold stay as they are.

use tilewise_ir::launch::{Ending, LaunchMemory};
use tilewise_ir::pos::Pos;

use super::bind::{BoundRun, NamedData};
use super::compare::{Fix, Marks, RunDifference, RunResult, expected, spot};
use super::data;
use super::errors::{self, ExpectedError};
use super::header::{Expected, HeaderRun, show};
use super::reports;
use super::scan::{AnnotatedPlace, Scanned};

/// An edit that replaces lines `first` to `last` by `with`; with `last` before `first`, it inserts
/// before `first`.
#[derive(Clone, PartialEq, Debug)]
pub struct TextEdit {
    /// First line.
    pub first: u32,
    /// Last line.
    pub last: u32,
    /// The new lines.
    pub with: Vec<String>,
}

impl TextEdit {
    fn below(line: u32, with: Vec<String>) -> TextEdit {
        TextEdit { first: line + 1, last: line, with }
    }
}

/// `text` with all edits made. They must not overlap.
pub fn apply(text: &str, mut edits: Vec<TextEdit>) -> String {
    let mut lines: Vec<&str> = text.lines().collect();
    edits.sort_by_key(|edit| (edit.first, edit.last));
    for edit in edits.iter().rev() {
        let first = (edit.first as usize).saturating_sub(1).min(lines.len());
        let last = (edit.last as usize).clamp(first, lines.len());
        lines.splice(first..last, edit.with.iter().map(String::as_str));
    }
    let mut out = lines.join("\n");
    out.push('\n');
    out
}

/// The maximum width of lines that blessing writes, where it can break them.
const WIDTH: usize = 110;

/// The edits that make a run's expectations equal its results. New marks are added to `marks`.
pub fn run(
    run: &HeaderRun,
    bound: &BoundRun,
    scanned: &Scanned,
    marks: &mut Marks,
    result: &RunResult,
    differences: &[RunDifference],
) -> Vec<TextEdit> {
    let mut edits = Vec::new();
    let mut fixes: Vec<Fix> = differences.iter().map(|difference| difference.fix).collect();
    fixes.sort_unstable();
    fixes.dedup();
    // New entries stand below the run's entries, in this order: ending, output, contents.
    let mut added: Vec<(u8, Vec<String>)> = Vec::new();
    for fix in fixes {
        match fix {
            Fix::Nothing => {}
            Fix::Contents(number) => {
                let Some(object) = bound.objects.get(number) else { continue };
                let lines = contents(object, &result.memory);
                match run.expects.iter().find(|expect| expect.expected.subject() == Some(&object.name)) {
                    Some(expect) => edits.push(TextEdit { first: expect.first, last: expect.last, with: lines }),
                    None => added.push((3, lines)),
                }
            }
            Fix::Output => {
                let Ok(outcome) = &result.outcome else { continue };
                let is_print = |expected: &Expected| matches!(expected, Expected::Print { .. });
                for expect in run.expects.iter().filter(|expect| is_print(&expect.expected)) {
                    edits.push(TextEdit { first: expect.first, last: expect.last, with: Vec::new() });
                }
                let lines = outcome.printed.iter().map(|printed| {
                    let expected = Expected::Print { text: printed.text.clone(), thread: Some(printed.thread) };
                    format!("//! expect {}", show(&expected))
                });
                added.push((1, lines.collect()));
            }
            Fix::Lost => {
                let lost = result.outcome.as_ref().map_or(0, |outcome| outcome.lost);
                let lines = if lost > 0 { vec![format!("//! expect lost {lost}")] } else { Vec::new() };
                match run.expects.iter().find(|expect| matches!(expect.expected, Expected::Lost(_))) {
                    Some(expect) => edits.push(TextEdit { first: expect.first, last: expect.last, with: lines }),
                    None => added.push((2, lines)),
                }
            }
            Fix::Reports => {
                let Ok(outcome) = &result.outcome else { continue };
                let old = |expected: &Expected| matches!(expected, Expected::Report(_) | Expected::MoreReports(_));
                for expect in run.expects.iter().filter(|expect| old(&expect.expected)) {
                    edits.push(TextEdit { first: expect.first, last: expect.last, with: Vec::new() });
                }
                for pos in reports::places(outcome) {
                    edits.extend(mark(pos, scanned, marks));
                }
                let found = outcome.reports.iter().map(|report| Expected::Report(reports::expected(report, marks)));
                let more = (outcome.more_reports > 0).then_some(Expected::MoreReports(outcome.more_reports));
                let lines = found.chain(more).map(|expected| format!("//! expect {}", show(&expected)));
                added.push((4, lines.collect()));
            }
            Fix::Ending => {
                for pos in places(result) {
                    edits.extend(mark(pos, scanned, marks));
                }
                let lines = wrapped(&format!("//! expect {}", show(&expected(&result.outcome, marks))));
                match run.expects.iter().find(|expect| expect.expected.is_ending()) {
                    Some(expect) => edits.push(TextEdit { first: expect.first, last: expect.last, with: lines }),
                    None => added.push((0, lines)),
                }
            }
        }
    }
    added.sort_by_key(|entry| entry.0);
    edits.push(TextEdit::below(run.last_line, added.into_iter().flat_map(|entry| entry.1).collect()));
    edits
}

/// The places in an ending.
fn places(result: &RunResult) -> Vec<Pos> {
    match result.outcome.as_ref().map(|outcome| &outcome.ending) {
        Ok(Ending::Failed { pos, .. }) => vec![*pos],
        Ok(Ending::BarrierDivergence(divergence)) => divergence.sides.iter().map(|side| side.pos).collect(),
        Ok(
            Ending::Completed
            | Ending::OutOfFuel { .. }
            | Ending::Interrupted
            | Ending::Stopped
            | Ending::OutOfMemory { .. },
        )
        | Err(_) => Vec::new(),
    }
}

/// Adds a mark at a place that has none.
fn mark(pos: Pos, scanned: &Scanned, marks: &mut Marks) -> Option<TextEdit> {
    let place = spot(pos)?;
    if marks.name_of(place).is_some() {
        return None;
    }
    let free = |name: &String| !marks.places.contains_key(name);
    let name = ('a'..='z').map(String::from).find(free).unwrap_or_else(|| format!("p{}", marks.places.len()));
    marks.places.insert(name.clone(), place);
    let line = ExpectedError { spot: place, rank: 1, primary: true, text: format!("#{name}") };
    Some(TextEdit::below(last_annotation(scanned, pos.line), vec![annotation(&line)]))
}

/// The last of the annotations below a line, or the line itself.
fn last_annotation(scanned: &Scanned, line: u32) -> u32 {
    let below = scanned.is_annotation.iter().skip(line as usize).take_while(|&&is| is).count();
    line + below as u32
}

fn contents(object: &NamedData, memory: &LaunchMemory) -> Vec<String> {
    let bits = object.contents(memory);
    let types = object.types();
    let start = format!("//! expect {} =", object.name);
    let row = object.extent.as_ref().filter(|extent| extent.len() > 1).and_then(|extent| extent.last());
    let words = data::show(&bits, &types, object.per_element);
    let generated = words
        .first()
        .is_some_and(|word| word.starts_with(|c: char| c.is_ascii_lowercase()) && word != "nan" && word != "inf");
    match row {
        Some(&row) if row > 0 && !generated => {
            let mut out = vec![start];
            let scalars = row as usize * object.per_element.max(1);
            for (bits, types) in bits.chunks(scalars).zip(types.chunks(scalars)) {
                out.extend(wrapped(&format!("//!   {}", data::list(bits, types, object.per_element).join(" "))));
            }
            out
        }
        _ => wrapped(&format!("{start} {}", words.join(" "))),
    }
}

/// Breaks an entry into lines, never within a quoted text.
fn wrapped(entry: &str) -> Vec<String> {
    if entry.contains('"') {
        return vec![entry.to_owned()];
    }
    let mut out: Vec<String> = Vec::new();
    let start = if entry.starts_with("//!   ") { "//!  " } else { "//!" };
    let mut line = start.to_owned();
    for word in entry[start.len()..].split_whitespace() {
        if line.len() + 1 + word.len() > WIDTH {
            out.push(std::mem::replace(&mut line, "//!  ".to_owned()));
        }
        line.push(' ');
        line += word;
    }
    out.push(line);
    out
}

/// The edits that make the annotations of a file equal the reported errors.
pub fn errors(scanned: &Scanned, text: &str, reported: &[Vec<ExpectedError>]) -> Vec<TextEdit> {
    let mut edits: Vec<TextEdit> = scanned
        .annotations
        .iter()
        .filter(|annotation| errors::takes_part(annotation))
        .map(|annotation| TextEdit { first: annotation.line, last: annotation.line, with: Vec::new() })
        .collect();
    let mut sorted: Vec<&Vec<ExpectedError>> = reported.iter().collect();
    sorted.sort_by_key(|lines| (lines[0].spot, lines[0].rank));
    for lines in sorted {
        let below = match lines[0].spot {
            AnnotatedPlace::Stretch { line, .. } => last_annotation(scanned, line),
            AnnotatedPlace::End => text.lines().count() as u32,
            AnnotatedPlace::Nowhere | AnnotatedPlace::Above => scanned.header_end,
        };
        edits.push(TextEdit::below(below, lines.iter().map(annotation).collect()));
    }
    edits
}

/// An annotation as a line of the file.
fn annotation(line: &ExpectedError) -> String {
    let sign = if line.primary { "^" } else { "-" };
    let place = match line.spot {
        AnnotatedPlace::Stretch { column, length, .. }
            if column >= 3 && length >= 1 && column as usize + length as usize <= WIDTH =>
        {
            format!("//{}{}", " ".repeat(column as usize - 3), sign.repeat(length as usize))
        }
        AnnotatedPlace::Stretch { column, length, .. } => format!("// {sign}{column}:{length}"),
        AnnotatedPlace::End => format!("// {sign}end"),
        AnnotatedPlace::Nowhere => format!("// {sign}none"),
        AnnotatedPlace::Above => "//     =".to_owned(),
    };
    format!("{place} {}", line.text).trim_end().to_owned()
}
