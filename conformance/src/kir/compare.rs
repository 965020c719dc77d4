//! Compares the expectations of a run with its results.

use std::collections::BTreeMap;

use tilewise_cpu_jit::emit::CodeForm;
use tilewise_ir::launch::{Arrival, Ending, LaunchMemory, Outcome, Refusal};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Stored;

use super::bind::{BoundRun, NamedData};
use super::header::{Expected, ExpectedFailure, ExpectedRefusal, ExpectedSide, HeaderRun, show};
use super::scan::{AnnotatedPlace, Annotation};
use super::{Complaint, FilePlace, data, value};
use crate::tolerance::Tolerance;

/// The result of a launch.
#[derive(Debug)]
pub struct RunResult {
    /// The outcome.
    pub outcome: Result<Outcome, Refusal>,
    /// Memory after the launch.
    pub memory: LaunchMemory,
    /// The emitter of the code that ran, if any was compiled.
    pub form: Option<CodeForm>,
}

/// A difference between expectation and result.
#[derive(Clone, PartialEq, Debug)]
pub struct RunDifference {
    /// The place of the expectation, or where one is missing.
    pub at: FilePlace,
    /// The difference, in one or more lines.
    pub message: String,
    /// How blessing resolves it.
    pub fix: Fix,
}

/// All differences between the expectations of a run and its results.
#[derive(Clone, PartialEq, Debug)]
pub struct RunDifferences {
    /// One by one.
    pub list: Vec<RunDifference>,
    /// Were some floats not equal to the expected ones, and near enough?
    pub within_tolerance: bool,
    /// Is each difference one of floats in memory?
    pub only_floats: bool,
}

/// How blessing resolves a [`RunDifference`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Fix {
    /// Not at all: such a result is never right.
    Nothing,
    /// Writes the contents of the object with this number.
    Contents(usize),
    /// Writes all lines of output.
    Output,
    /// Writes the number of lost bytes.
    Lost,
    /// Writes the ending of the run.
    Ending,
    /// Writes all reports.
    Reports,
}

/// The marks of a file: names and places.
#[derive(Clone, Debug, Default)]
pub struct Marks {
    /// Place by name.
    pub places: BTreeMap<String, AnnotatedPlace>,
}

impl Marks {
    /// The marks among the annotations.
    pub fn read(annotations: &[Annotation], complaints: &mut Vec<Complaint>) -> Marks {
        let mut marks = Marks::default();
        for annotation in annotations.iter().filter(|annotation| annotation.primary) {
            let Some(name) = annotation.text.strip_prefix('#') else { continue };
            if marks.places.insert(name.to_owned(), annotation.spot).is_some() {
                let at = FilePlace { line: annotation.line, column: annotation.column };
                complaints.push(Complaint::new(
                    at,
                    format!("two places are marked `#{name}`"),
                    "give one of them another name",
                ));
            }
        }
        marks
    }

    /// The name of a place.
    pub fn name_of(&self, spot: AnnotatedPlace) -> Option<&str> {
        self.places.iter().find(|(_, place)| **place == spot).map(|(name, _)| name.as_str())
    }
}

/// The place of a position in the file's own text.
pub fn spot(pos: Pos) -> Option<AnnotatedPlace> {
    (pos.is_known() && pos.source == 0).then_some(AnnotatedPlace::Stretch {
        line: pos.line,
        column: pos.column,
        length: pos.length,
    })
}

/// All differences of one launch; `order` names the order of threads, for messages.
pub fn compare(
    run: &HeaderRun,
    bound: &BoundRun,
    marks: &Marks,
    result: &RunResult,
    tolerance: Tolerance,
) -> RunDifferences {
    let out = RunDifferences { list: Vec::new(), within_tolerance: false, only_floats: true };
    let mut comparison = RunComparison { run, bound, marks, tolerance, out };
    comparison.ending(&result.outcome);
    match &result.outcome {
        Ok(outcome) => {
            comparison.output(outcome);
            comparison.said_contents(&result.memory);
            comparison.unsaid_contents(outcome);
        }
        Err(_) => {
            if result.memory != bound.memory {
                comparison.differ(run.at, "the launch was refused, and yet memory has changed", Fix::Nothing);
            }
            comparison.beside_refusal(&result.memory);
        }
    }
    comparison.frozen(&result.memory);
    comparison.out
}

/// An outcome in the form of an expectation; places without a mark are given as `line:column`.
pub fn expected(outcome: &Result<Outcome, Refusal>, marks: &Marks) -> Expected {
    let name = |pos: Pos| {
        let place = spot(pos)?;
        let shown = || format!("{}:{}", pos.line, pos.column);
        Some(marks.name_of(place).map_or_else(shown, str::to_owned))
    };
    match outcome {
        Err(Refusal::InvalidComputeDomain(text)) => Expected::Refused(ExpectedRefusal::Domain, text.clone()),
        Err(Refusal::BadArgument(text) | Refusal::Unsupported(text) | Refusal::Driver(text)) => {
            Expected::Refused(ExpectedRefusal::Argument, text.clone())
        }
        Ok(outcome) => match &outcome.ending {
            Ending::Completed => Expected::Completed,
            Ending::Failed { thread, message, pos, others } => Expected::Failed(ExpectedFailure {
                message: message.clone(),
                thread: Some(*thread),
                others: *others,
                mark: name(*pos),
            }),
            Ending::BarrierDivergence(divergence) => Expected::Divergence {
                tile: Some(divergence.tile.clone()),
                sides: divergence
                    .sides
                    .iter()
                    .map(|side| ExpectedSide {
                        threads: side.threads.iter().map(|&t| u64::from(t)).collect(),
                        returned: side.did == Arrival::Returned,
                        mark: name(side.pos),
                        rounds: match &side.did {
                            Arrival::Barrier { rounds } => rounds.clone(),
                            Arrival::Returned => Vec::new(),
                        },
                    })
                    .collect(),
            },
            Ending::OutOfFuel { .. } => Expected::OutOfFuel,
            // Nothing in the suite interrupts a launch.
            Ending::Interrupted | Ending::Stopped | Ending::OutOfMemory { .. } => Expected::Stopped,
        },
    }
}

struct RunComparison<'a> {
    run: &'a HeaderRun,
    bound: &'a BoundRun,
    marks: &'a Marks,
    tolerance: Tolerance,
    out: RunDifferences,
}

impl RunComparison<'_> {
    fn differ(&mut self, at: FilePlace, message: impl Into<String>, fix: Fix) {
        self.out.only_floats = false;
        self.out.list.push(RunDifference { at, message: message.into(), fix });
    }

    fn ending(&mut self, outcome: &Result<Outcome, Refusal>) {
        let said = self.run.expects.iter().find(|expect| expect.expected.is_ending());
        let (at, want) = said.map_or((self.run.at, &Expected::Completed), |expect| (expect.at, &expect.expected));
        // No file expects how these end; `expected` has no word for them.
        let ended = outcome.as_ref().ok().and_then(|outcome| match outcome.ending {
            Ending::OutOfMemory { bytes } => {
                Some(format!("the target has no memory left for its own work: {bytes} bytes"))
            }
            Ending::Interrupted => Some("the launch was interrupted".to_owned()),
            Ending::Completed
            | Ending::Failed { .. }
            | Ending::BarrierDivergence(_)
            | Ending::OutOfFuel { .. }
            | Ending::Stopped => None,
        });
        if let Some(ended) = ended {
            let message = format!("the run ended otherwise\n  expected: {}\n  got:      {ended}", show(want));
            return self.differ(at, message, Fix::Nothing);
        }
        let got = expected(outcome, self.marks);
        if same_ending(want, &got) {
            return;
        }
        let message = format!("the run ended otherwise\n  expected: {}\n  got:      {}", show(want), show(&got));
        self.differ(at, message, Fix::Ending);
    }

    fn output(&mut self, outcome: &Outcome) {
        let wanted: Vec<_> = self
            .run
            .expects
            .iter()
            .filter_map(|expect| match &expect.expected {
                Expected::Print { text, thread } => Some((expect.at, text, *thread)),
                _ => None,
            })
            .collect();
        for (i, printed) in outcome.printed.iter().enumerate() {
            let got = show(&Expected::Print { text: printed.text.clone(), thread: Some(printed.thread) });
            let Some(&(at, text, thread)) = wanted.get(i) else {
                let at = wanted.last().map_or(self.run.at, |last| last.0);
                let more = outcome.printed.len() - wanted.len();
                self.differ(
                    at,
                    format!("{more} lines were printed that are not expected, the first of them:\n  {got}"),
                    Fix::Output,
                );
                break;
            };
            if *text != printed.text || thread.is_some_and(|thread| thread != printed.thread) {
                let want = show(&Expected::Print { text: text.clone(), thread });
                self.differ(
                    at,
                    format!("line {} of the output differs\n  expected: {want}\n  got:      {got}", i + 1),
                    Fix::Output,
                );
                break;
            }
        }
        if let Some(&(at, text, thread)) = wanted.get(outcome.printed.len()) {
            let want = show(&Expected::Print { text: text.clone(), thread });
            self.differ(
                at,
                format!("this line was not printed; {} lines were\n  expected: {want}", outcome.printed.len()),
                Fix::Output,
            );
        }
        let lost = self.run.expects.iter().find_map(|expect| match expect.expected {
            Expected::Lost(bytes) => Some((expect.at, bytes)),
            _ => None,
        });
        let (at, bytes) = lost.unwrap_or((self.run.at, 0));
        if bytes != outcome.lost {
            self.differ(
                at,
                format!("bytes of output lost\n  expected: {bytes}\n  got:      {}", outcome.lost),
                Fix::Lost,
            );
        }
    }

    /// What else is expected where a refusal is: memory as it was, and nothing that only a run gives.
    fn beside_refusal(&mut self, after: &LaunchMemory) {
        let run = self.run;
        if !run.expects.iter().any(|expect| matches!(expect.expected, Expected::Refused(..))) {
            return;
        }
        for expect in &run.expects {
            let comes_of_a_run = match expect.expected {
                Expected::Print { .. } | Expected::Report(_) => true,
                Expected::Lost(number) | Expected::MoreReports(number) => number > 0,
                Expected::Contents(..)
                | Expected::Unchanged(_)
                | Expected::Any(_)
                | Expected::Completed
                | Expected::Failed(_)
                | Expected::Divergence { .. }
                | Expected::OutOfFuel
                | Expected::Refused(..)
                | Expected::Stopped => false,
            };
            if comes_of_a_run {
                let message = format!("nothing ran, and this is expected of a run: {}", show(&expect.expected));
                self.differ(expect.at, message, Fix::Nothing);
            }
        }
        self.said_contents(after);
    }

    /// Compares the contents that the run speaks of.
    fn said_contents(&mut self, after: &LaunchMemory) {
        let bound = self.bound;
        for expect in &self.run.expects {
            let Some(name) = expect.expected.subject() else { continue };
            let Some(number) = bound.objects.iter().position(|object| object.name == name) else {
                let names: Vec<String> = bound.objects.iter().map(|object| format!("`{}`", object.own_name)).collect();
                let help = if names.is_empty() {
                    "this run has no memory".to_owned()
                } else {
                    format!("contents have: {}", names.join(", "))
                };
                self.differ(expect.at, format!("there is no memory called `{name}`\n  help: {help}"), Fix::Nothing);
                continue;
            };
            let object = &bound.objects[number];
            let types = object.types();
            let want = match &expect.expected {
                Expected::Contents(_, data) => match data::fill(data, &types) {
                    Ok(want) => want,
                    Err(complaint) => {
                        self.differ(complaint.at, complaint.to_string(), Fix::Contents(number));
                        continue;
                    }
                },
                Expected::Unchanged(_) => object.contents(&bound.memory),
                _ => continue,
            };
            let got = object.contents(after);
            match differing(object, &types, &want, &got, self.tolerance) {
                Some((message, are_floats)) => {
                    let only_floats = self.out.only_floats && are_floats;
                    self.differ(expect.at, message, Fix::Contents(number));
                    self.out.only_floats = only_floats;
                }
                None if self.tolerance.is_none() => {}
                None => self.out.within_tolerance |= differing(object, &types, &want, &got, Tolerance::NONE).is_some(),
            }
        }
    }

    /// Complains about memory that the launch may write and the run does not speak of.
    fn unsaid_contents(&mut self, outcome: &Outcome) {
        let bound = self.bound;
        // After divergence or out of fuel the run stopped somewhere: expectations about memory are
        // optional.
        if !matches!(outcome.ending, Ending::Completed | Ending::Failed { .. }) {
            return;
        }
        let spoken_of = self.spoken_of();
        let is_spoken_of = |object: &NamedData| {
            object.leaves.iter().all(|&(at, stored)| {
                let bytes = at as usize..at as usize + stored.size() as usize;
                spoken_of[object.allocation].get(bytes).is_some_and(|bytes| bytes.iter().all(|&said| said))
            })
        };
        for (number, object) in bound.objects.iter().enumerate().filter(|(_, object)| object.writable) {
            let by_name = self.run.expects.iter().any(|expect| expect.expected.subject() == Some(&object.name));
            if !by_name && !is_spoken_of(object) {
                let name = &object.own_name;
                let message = format!(
                    "the kernel may write `{name}`, and the file does not say what it holds after the run\n  help: add `//! expect {name} = ..` (in the suite, `BLESS=1 cargo test --test kir` writes it), `//! expect unchanged {name}` or `//! expect any {name}`"
                );
                self.differ(self.run.at, message, Fix::Contents(number));
            }
        }
    }

    /// For each byte of memory: does an expectation cover it?
    fn spoken_of(&self) -> Vec<Vec<bool>> {
        let mut said: Vec<Vec<bool>> =
            self.bound.memory.allocations.iter().map(|allocation| vec![false; allocation.len()]).collect();
        let named =
            |object: &&NamedData| self.run.expects.iter().any(|expect| expect.expected.subject() == Some(&object.name));
        for object in self.bound.objects.iter().filter(named) {
            for &(at, stored) in &object.leaves {
                said[object.allocation][at as usize..][..stored.size() as usize].fill(true);
            }
        }
        said
    }

    /// Checks that bytes that nothing may write are unchanged.
    fn frozen(&mut self, after: &LaunchMemory) {
        for (allocation, ((before, after), writable)) in
            self.bound.memory.allocations.iter().zip(&after.allocations).zip(&self.bound.writable).enumerate()
        {
            let changed = (0..before.len()).find(|&i| !writable[i] && after.get(i) != Some(&before[i]));
            if let Some(i) = changed {
                let here = |object: &&NamedData| object.allocation == allocation;
                let name = self.bound.objects.iter().find(here).map_or("memory", |object| object.own_name.as_str());
                let message = format!(
                    "byte {i} of the memory of `{name}` belongs to no scalar that the launch may write, and yet it has changed\n  before: 0x{:02x}\n  after:  0x{:02x}",
                    before[i],
                    after.get(i).copied().unwrap_or(0)
                );
                self.differ(self.run.at, message, Fix::Nothing);
            }
        }
    }
}

/// The maximum number of differing scalars that a failure lists.
const LISTED: usize = 8;

/// The scalars that differ, as a text, and whether all of them are floats.
fn differing(
    object: &NamedData,
    types: &[Stored],
    want: &[u64],
    got: &[u64],
    tolerance: Tolerance,
) -> Option<(String, bool)> {
    let wrong: Vec<usize> = (0..types.len()).filter(|&i| !tolerance.allows(want[i], got[i], types[i])).collect();
    if wrong.is_empty() {
        return None;
    }
    let mut out = format!("`{}` differs in {} of {} scalars", object.own_name, wrong.len(), types.len());
    for &i in wrong.iter().take(LISTED) {
        out += &format!(
            "\n  {}{}: expected {}, got {}",
            object.own_name,
            object.index(i),
            value::show_with_bits(want[i], types[i]),
            value::show_with_bits(got[i], types[i])
        );
    }
    if wrong.len() > LISTED {
        out += &format!("\n  and {} more", wrong.len() - LISTED);
    }
    Some((out, wrong.iter().all(|&i| types[i].value().is_float())))
}

/// Does an ending match the expected one? Omitted parts match anything.
fn same_ending(want: &Expected, got: &Expected) -> bool {
    match (want, got) {
        (Expected::Completed, Expected::Completed)
        | (Expected::OutOfFuel, Expected::OutOfFuel)
        | (Expected::Stopped, Expected::Stopped) => true,
        (Expected::Failed(want), Expected::Failed(got)) => {
            want.message == got.message
                && (want.thread.is_none() || want.thread == got.thread)
                && want.others == got.others
                && (want.mark.is_none() || want.mark == got.mark)
        }
        (Expected::Divergence { tile, sides }, Expected::Divergence { tile: got_tile, sides: got_sides }) => {
            (tile.is_none() || tile == got_tile)
                && (sides.is_empty() || sides.len() == got_sides.len())
                && sides.iter().zip(got_sides).all(|(want, got)| {
                    want.threads == got.threads
                        && want.returned == got.returned
                        && want.rounds == got.rounds
                        && (want.mark.is_none() || want.mark == got.mark)
                })
        }
        (Expected::Refused(kind, text), Expected::Refused(got_kind, got_text)) => kind == got_kind && text == got_text,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use crate::kir::case::run;
    use crate::target::SuiteTarget;
    use crate::verdict::Verdict;

    #[test]
    fn what_is_expected_beside_a_refusal_is_compared_too() {
        let verdict = |more: &str| {
            let text = format!(
                "// Refused.\n//! domain 5\n//! a: [2] = 3 4\n\
                 //! expect refused domain \"dimension 0 of the domain is 5, which the tile's 4 does not \
                 divide\"\n{more}kernel k(a: view<u32, 1, read_write>) tile(4) {{}}\n"
            );
            run("k.kir", &text, SuiteTarget::Reference)
        };
        for right in ["", "//! expect a = 3 4\n", "//! expect unchanged a\n", "//! expect lost 0\n"] {
            assert_eq!(verdict(right), Verdict::Pass, "{right}");
        }
        for (wrong, words) in [
            ("//! expect a = 9 9\n", "`a` differs in 2 of 2 scalars"),
            ("//! expect b = 9 9\n", "there is no memory called `b`"),
            ("//! expect print \"never\"\n", "nothing ran, and this is expected of a run: print \"never\""),
            ("//! expect report K0802\n", "nothing ran, and this is expected of a run: report K0802"),
            ("//! expect lost 17\n", "nothing ran, and this is expected of a run: lost 17"),
        ] {
            let reason = verdict(wrong).reason().unwrap_or_default();
            assert!(reason.contains(words), "{wrong}: {reason}");
        }
    }
}
