//! One kind of work: checks every contestant, then times all in turns, so that a slowdown of the
//! machine affects all.

use serde::{Deserialize, Serialize};
use tilewise_peers::{PeerWork, time};

use super::contestant::{Contestant, Out, ReadyContestant};
use crate::kernels;

/// The result of one contestant.
#[derive(Clone, PartialEq, Debug)]
pub struct RowEntry {
    /// Its name.
    pub name: String,
    /// Milliseconds of each run, in order; or the reason why there are none.
    pub runs: Result<Vec<f64>, Out>,
}

/// The results of all contestants at one kind of work.
#[derive(Clone, PartialEq, Debug)]
pub struct BenchRow {
    /// The work.
    pub work: PeerWork,
    /// Its size.
    pub size: usize,
    /// In the order in which they were given.
    pub entries: Vec<RowEntry>,
}

/// The run that represents a contestant.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The median.
    Median,
    /// The shortest: other load on the machine only makes runs longer.
    Shortest,
}

impl By {
    /// What it is, for a sentence.
    pub fn in_words(self) -> &'static str {
        match self {
            By::Median => "the median",
            By::Shortest => "the shortest",
        }
    }
}

impl RowEntry {
    /// The time of the run that represents it.
    pub fn run(&self, by: By) -> Option<f64> {
        match by {
            By::Median => self.median(),
            By::Shortest => self.range().map(|range| range.0),
        }
    }

    /// The median of its runs.
    pub fn median(&self) -> Option<f64> {
        self.runs.as_ref().ok().map(|runs| time::median(&mut runs.clone()))
    }

    /// The shortest and the longest run.
    pub fn range(&self) -> Option<(f64, f64)> {
        let runs = self.runs.as_ref().ok()?;
        let min = runs.iter().copied().min_by(f64::total_cmp)?;
        let max = runs.iter().copied().max_by(f64::total_cmp)?;
        Some((min, max))
    }
}

/// A contestant during the measurement of a row.
struct Runner<'c> {
    name: String,
    state: Result<(ReadyContestant<'c>, Vec<f64>), Out>,
}

/// What a contestant does at a moment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RowPhase {
    /// Its memory is made, and its result is compared.
    Check,
    /// Its run of this number, from 1.
    Run(usize),
}

/// Measures a row; `step` hears before each phase of each contestant.
///
/// # Errors
/// If the expected result cannot be computed.
pub fn race(
    work: PeerWork,
    size: usize,
    contestants: &[Contestant],
    runs: usize,
    step: &mut dyn FnMut(&str, RowPhase),
) -> Result<BenchRow, String> {
    let expected = kernels::expected(work, size)?;
    let mut all: Vec<Runner<'_>> = Vec::with_capacity(contestants.len());
    for contestant in contestants {
        step(contestant.name(), RowPhase::Check);
        let ready = contestant.ready(work, size, &expected);
        all.push(Runner { name: contestant.name().to_owned(), state: ready.map(|ready| (ready, Vec::new())) });
    }
    drop(expected);
    for run in 1..=runs {
        for runner in &mut all {
            step(&runner.name, RowPhase::Run(run));
            let Ok((ready, times)) = &mut runner.state else { continue };
            match ready.one_run(work) {
                Ok(time) => times.push(time),
                Err(out) => runner.state = Err(out),
            }
        }
    }
    let entries =
        all.into_iter().map(|runner| RowEntry { name: runner.name, runs: runner.state.map(|(_, times)| times) });
    Ok(BenchRow { work, size, entries: entries.collect() })
}
