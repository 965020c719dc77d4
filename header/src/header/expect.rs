//! The `expect` entries: parsed, and printed when a file is blessed.

use super::words::EntryWords;
use crate::data::HeaderData;
use crate::scan::quote;
use crate::{Complaint, FilePlace};
use tilewise_ir::diag::Code;

/// One `expect` entry.
#[derive(Clone, Debug)]
pub struct Expect {
    /// Where it stands.
    pub at: FilePlace,
    /// Its first line.
    pub first: u32,
    /// Its last line.
    pub last: u32,
    /// The expectation.
    pub expected: Expected,
}

/// An expectation.
#[derive(Clone, Debug)]
pub enum Expected {
    /// These contents.
    Contents(String, HeaderData),
    /// The contents of the input.
    Unchanged(String),
    /// Any contents.
    Any(String),
    /// A line of output.
    Print {
        /// The line.
        text: String,
        /// The thread that prints it, if given.
        thread: Option<u64>,
    },
    /// This many bytes of output are lost.
    Lost(u64),
    /// Every thread runs to its end.
    Completed,
    /// `error` or `abort`.
    Failed(ExpectedFailure),
    /// Threads that did not meet.
    Divergence {
        /// The tile, if given.
        tile: Option<Vec<i32>>,
        /// The sides; empty if they are not given.
        sides: Vec<ExpectedSide>,
    },
    /// The run reaches the limit on instructions.
    OutOfFuel,
    /// The launch is refused.
    Refused(ExpectedRefusal, String),
    /// The first report ends the run.
    Stopped,
    /// The checks make this report.
    Report(ExpectedReport),
    /// This many findings beyond the limit on reports.
    MoreReports(u64),
}

/// A report of the checks, as a file expects it. An omitted part matches anything.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectedReport {
    /// The code.
    pub code: Code,
    /// The message.
    pub message: Option<String>,
    /// The place at fault and its thread; of a race, the access that ran second.
    pub access: Option<Accessed>,
    /// The access that ran first, of a race.
    pub first: Option<Accessed>,
    /// The number of findings.
    pub times: Option<u64>,
}

/// An access in a [`ExpectedReport`].
#[derive(Clone, PartialEq, Debug)]
pub struct Accessed {
    /// The mark.
    pub mark: String,
    /// The linear index of the thread.
    pub thread: Option<u64>,
}

/// The kind of refusal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExpectedRefusal {
    /// `InvalidComputeDomain`.
    Domain,
    /// An argument does not fit.
    Argument,
}

/// The expected form of `error` or `abort`.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectedFailure {
    /// The message; `None` for `abort`.
    pub message: Option<String>,
    /// The lowest thread, if given.
    pub thread: Option<u64>,
    /// Number of other threads.
    pub others: u64,
    /// The mark at its place, if given.
    pub mark: Option<String>,
}

/// One side of a divergence.
#[derive(Clone, PartialEq, Debug)]
pub struct ExpectedSide {
    /// Threads of the tile.
    pub threads: Vec<u64>,
    /// Did they return?
    pub returned: bool,
    /// The mark at their place, if given.
    pub mark: Option<String>,
    /// Iterations of the loops around the barrier.
    pub rounds: Vec<u64>,
}

impl Expected {
    /// Is it an ending of the run?
    pub fn is_ending(&self) -> bool {
        match self {
            Expected::Completed
            | Expected::Failed(_)
            | Expected::Divergence { .. }
            | Expected::OutOfFuel
            | Expected::Refused(..)
            | Expected::Stopped => true,
            Expected::Contents(..)
            | Expected::Unchanged(_)
            | Expected::Any(_)
            | Expected::Print { .. }
            | Expected::Lost(_)
            | Expected::Report(_)
            | Expected::MoreReports(_) => false,
        }
    }

    /// The parameter or memory it is about.
    pub fn subject(&self) -> Option<&str> {
        match self {
            Expected::Contents(name, _) | Expected::Unchanged(name) | Expected::Any(name) => Some(name),
            _ => None,
        }
    }
}

/// Adds an entry unless it contradicts one that is there.
pub(super) fn add(list: &mut Vec<Expect>, new: Expect) -> Result<(), Complaint> {
    let clash = list.iter().find(|old| {
        let same_subject = new.expected.subject().is_some() && old.expected.subject() == new.expected.subject();
        let both_lost = matches!((&old.expected, &new.expected), (Expected::Lost(_), Expected::Lost(_)));
        let both_more = matches!((&old.expected, &new.expected), (Expected::MoreReports(_), Expected::MoreReports(_)));
        same_subject || both_lost || both_more || old.expected.is_ending() && new.expected.is_ending()
    });
    if let Some(old) = clash {
        let message = format!("line {} says already what is expected of this", old.first);
        return Err(Complaint::new(new.at, message, "remove one of the two entries"));
    }
    list.push(new);
    Ok(())
}

const KINDS: &str = "`expect` is followed by NAME `=`, `unchanged`, `any`, `print`, `lost`, `completed`, `error`, `abort`, `divergence`, `fuel`, `stopped`, `report`, `reports`, `refused` or `accepted`";

/// Parses an entry after the word `expect`.
pub(super) fn read(words: &mut EntryWords<'_>) -> Result<Expected, Complaint> {
    let at = words.at();
    let kind = words.word("what is expected")?;
    if words.skip_mark('=') {
        return Ok(Expected::Contents(kind, words.data()?));
    }
    Ok(match kind.as_str() {
        "unchanged" => Expected::Unchanged(words.word("the name of a parameter")?),
        "any" => Expected::Any(words.word("the name of a parameter")?),
        "print" => {
            let text = words.text("the line in quotes")?;
            let thread = if words.skip_word("thread") { Some(words.number("the number of a thread")?) } else { None };
            Expected::Print { text, thread }
        }
        "lost" => Expected::Lost(words.number("the number of bytes")?),
        "completed" => Expected::Completed,
        "error" => {
            let message = words.text("the message in quotes")?;
            Expected::Failed(failure(Some(message), words)?)
        }
        "abort" => Expected::Failed(failure(None, words)?),
        "divergence" => {
            let tile = if words.skip_word("tile") { Some(words.index()?) } else { None };
            let mut sides = Vec::new();
            while words.skip_word("threads") {
                sides.push(side(words)?);
            }
            Expected::Divergence { tile, sides }
        }
        "fuel" => Expected::OutOfFuel,
        "stopped" => Expected::Stopped,
        "report" => Expected::Report(finding(words)?),
        "reports" => {
            words.expect_word("more")?;
            Expected::MoreReports(words.number("the number of findings beyond the limit")?)
        }
        "refused" => {
            let kind = if words.skip_word("argument") {
                ExpectedRefusal::Argument
            } else {
                words.expect_word("domain")?;
                ExpectedRefusal::Domain
            };
            Expected::Refused(kind, words.text("the text of the refusal in quotes")?)
        }
        other => return Err(Complaint::new(at, format!("`{other}` is nothing that can be expected"), KINDS)),
    })
}

fn failure(message: Option<String>, words: &mut EntryWords<'_>) -> Result<ExpectedFailure, Complaint> {
    let thread = if words.skip_word("thread") { Some(words.number("the number of a thread")?) } else { None };
    let others = if words.skip_word("others") { words.number("the number of threads")? } else { 0 };
    Ok(ExpectedFailure { message, thread, others, mark: mark(words)? })
}

/// Parses a report, after the word `report`.
fn finding(words: &mut EntryWords<'_>) -> Result<ExpectedReport, Complaint> {
    let at = words.at();
    let name = words.word("the code of a report, such as `K0802`")?;
    let code = Code::by_name(&name).filter(|code| name.starts_with("K08") && *code != Code::K0803);
    let Some(code) = code else {
        return Err(Complaint::new(
            at,
            format!("`{name}` is no code of a report"),
            "reports are K0801, K0802 and K0804 to K0810; threads that do not meet are `expect divergence`",
        ));
    };
    let message = if words.peek_text() { Some(words.text("the message in quotes")?) } else { None };
    let access = accessed(words)?;
    let first = if words.skip_word("and") { accessed(words)? } else { None };
    let times = if words.skip_word("times") { Some(words.number("how often it is found")?) } else { None };
    Ok(ExpectedReport { code, message, access, first, times })
}

fn accessed(words: &mut EntryWords<'_>) -> Result<Option<Accessed>, Complaint> {
    let Some(mark) = mark(words)? else { return Ok(None) };
    let thread = if words.skip_word("thread") { Some(words.number("the number of a thread")?) } else { None };
    Ok(Some(Accessed { mark, thread }))
}

fn mark(words: &mut EntryWords<'_>) -> Result<Option<String>, Complaint> {
    if !words.skip_word("at") {
        return Ok(None);
    }
    let at = words.at();
    let word = words.word("a mark such as `#here`")?;
    match word.strip_prefix('#') {
        Some(name) if !name.is_empty() => Ok(Some(name.to_owned())),
        _ => Err(Complaint::new(
            at,
            format!("`{word}` is no mark"),
            "a mark is a name behind `#`, and stands below the line it marks: `// ^^^ #here`",
        )),
    }
}

fn side(words: &mut EntryWords<'_>) -> Result<ExpectedSide, Complaint> {
    let threads = threads(words)?;
    let returned = words.skip_word("returned");
    let mark = mark(words)?;
    let rounds = if words.skip_word("rounds") { words.numbers("the rounds of the loops")? } else { Vec::new() };
    Ok(ExpectedSide { threads, returned, mark, rounds })
}

fn threads(words: &mut EntryWords<'_>) -> Result<Vec<u64>, Complaint> {
    let mut out = Vec::new();
    loop {
        if let Some(thread) = words.maybe_number() {
            out.push(thread);
        } else if out.is_empty()
            || !(words.peek_word("returned")
                || words.peek_word("at")
                || words.peek_word("rounds")
                || words.peek_word("threads")
                || words.end().is_ok())
        {
            let at = words.at();
            let word = words.word("threads such as `0-3 5`")?;
            let range = word.split_once('-').and_then(|(a, b)| Some((a.parse::<u64>().ok()?, b.parse::<u64>().ok()?)));
            // A tile has at most 1024 threads.
            let Some((first, last)) = range.filter(|(a, b)| a <= b && *b < 1024) else {
                return Err(Complaint::new(
                    at,
                    format!("`{word}` are no threads of a tile"),
                    "write numbers below 1024 and ranges: `0-3 5`",
                ));
            };
            out.extend(first..=last);
        } else {
            return Ok(out);
        }
        words.skip_mark(',');
    }
}

/// Threads as `0-3 5`.
pub fn show_threads(threads: &[u64]) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut i = 0;
    while i < threads.len() {
        let mut j = i;
        // A file may name the greatest number, behind which there is none.
        while threads.get(j + 1).is_some_and(|&next| Some(next) == threads[j].checked_add(1)) {
            j += 1;
        }
        match j - i {
            0 => out.push(threads[i].to_string()),
            1 => out.extend([threads[i].to_string(), threads[j].to_string()]),
            _ => out.push(format!("{}-{}", threads[i], threads[j])),
        }
        i = j + 1;
    }
    out.join(" ")
}

/// The text of the entry, without `expect`. [`data`](crate::data) prints contents.
pub fn show(expected: &Expected) -> String {
    // A place without a mark is shown by its line and column.
    let at = |mark: &Option<String>| match mark {
        Some(place) if place.contains(':') => format!(" at {place}"),
        Some(mark) => format!(" at #{mark}"),
        None => String::new(),
    };
    match expected {
        Expected::Contents(name, _) => format!("{name} = .."),
        Expected::Unchanged(name) => format!("unchanged {name}"),
        Expected::Any(name) => format!("any {name}"),
        Expected::Print { text, thread } => {
            format!("print {}{}", quote(text), thread.map_or(String::new(), |t| format!(" thread {t}")))
        }
        Expected::Lost(bytes) => format!("lost {bytes}"),
        Expected::Completed => "completed".to_owned(),
        Expected::Failed(failure) => {
            let mut out = failure.message.as_ref().map_or("abort".to_owned(), |text| format!("error {}", quote(text)));
            if let Some(thread) = failure.thread {
                out += &format!(" thread {thread}");
            }
            if failure.others > 0 {
                out += &format!(" others {}", failure.others);
            }
            out + &at(&failure.mark)
        }
        Expected::Divergence { tile, sides } => {
            let mut out = "divergence".to_owned();
            if let Some(tile) = tile {
                let tile: Vec<String> = tile.iter().map(ToString::to_string).collect();
                out += &format!(" tile ({})", tile.join(", "));
            }
            for side in sides {
                out += &format!(" threads {}", show_threads(&side.threads));
                if side.returned {
                    out += " returned";
                }
                out += &at(&side.mark);
                if !side.rounds.is_empty() {
                    let rounds: Vec<String> = side.rounds.iter().map(ToString::to_string).collect();
                    out += &format!(" rounds {}", rounds.join(" "));
                }
            }
            out
        }
        Expected::OutOfFuel => "fuel".to_owned(),
        Expected::Stopped => "stopped".to_owned(),
        Expected::MoreReports(more) => format!("reports more {more}"),
        Expected::Report(finding) => {
            let mut out = format!("report {}", finding.code);
            if let Some(message) = &finding.message {
                out += &format!(" {}", quote(message));
            }
            for (i, access) in finding.access.iter().chain(&finding.first).enumerate() {
                out += if i == 0 { "" } else { " and" };
                out += &at(&Some(access.mark.clone()));
                if let Some(thread) = access.thread {
                    out += &format!(" thread {thread}");
                }
            }
            if let Some(times) = finding.times.filter(|&times| times != 1) {
                out += &format!(" times {times}");
            }
            out
        }
        Expected::Refused(ExpectedRefusal::Domain, text) => format!("refused domain {}", quote(text)),
        Expected::Refused(ExpectedRefusal::Argument, text) => format!("refused argument {}", quote(text)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threads_are_shown_in_ranges() {
        assert_eq!(show_threads(&[0, 1, 2, 3, 5, 7, 8]), "0-3 5 7 8");
        assert_eq!(show_threads(&[u64::MAX]), "18446744073709551615");
        assert_eq!(show_threads(&[u64::MAX, 0]), "18446744073709551615 0");
    }
}
