//! The result of a race as data; [`record_file`](super::record_file) writes and reads it. `docs/benchmarks.md`
//! describes the form; a change of a member's meaning increments [`SCHEMA`].

use serde::{Deserialize, Serialize};

use super::contestant::{AbsentPeer, Out};
use super::machine::MachineRecord;
use super::noise::{RaceNoise, RowNoise};
use super::report::{self, JudgedBar};
use super::row::{BenchRow, By, RowEntry};

/// The version of the form.
pub const SCHEMA: u32 = 1;

/// What a file of this form says it is.
pub(super) const KIND: &str = "tilewise bench";

/// A race.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RaceRecord {
    /// The version of the form.
    pub schema: u32,
    /// The kind of report.
    pub report: String,
    /// The version of Tilewise.
    pub tilewise: String,
    /// When the race began, in universal time.
    pub date: String,
    /// How long it took.
    pub seconds: f64,
    /// The machine.
    pub machine: MachineRecord,
    /// The settings.
    pub settings: RaceSettings,
    /// Those who ran, in the order of the table.
    pub contestants: Vec<ContestantRecord>,
    /// Those who could not run.
    pub absent: Vec<AbsentPeer>,
    /// What disturbed.
    pub noise: RaceNoise,
    /// The table.
    pub rows: Vec<RowRecord>,
    /// The first contestant beside each other one.
    pub means: Vec<MeanRecord>,
}

/// The settings of a race.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct RaceSettings {
    /// Workers of each contestant.
    pub threads: usize,
    /// The cores that all were held to, if they were.
    pub cores: Option<String>,
    /// Runs of each contestant.
    pub runs: usize,
    /// The run of each contestant that the ratios use.
    pub compared: By,
    /// Are the sizes those of the tests?
    pub small: bool,
    /// Is the program built without debug assertions, as releases are?
    pub release: bool,
}

/// A contestant.
#[derive(Serialize, Deserialize, Clone, PartialEq, Eq, Debug)]
pub struct ContestantRecord {
    /// Its name.
    pub name: String,
    /// What it is, in words.
    pub about: String,
    /// Is it a way to run kernels by Tilewise?
    pub ours: bool,
}

/// One kind of work.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RowRecord {
    /// Its name.
    pub work: String,
    /// Its size.
    pub size: usize,
    /// The multiple of a peer's time that the first contestant may take.
    pub bar: Option<f64>,
    /// That peer; `best` is the fastest of all.
    pub against: Option<String>,
    /// The ratio to its time.
    pub ratio: Option<f64>,
    /// Whether the ratio is within the bar.
    pub met: Option<bool>,
    /// What disturbed.
    pub noise: RowNoise,
    /// The contestants, in the order of the table.
    pub contestants: Vec<EntryRecord>,
}

/// The result of a contestant.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct EntryRecord {
    /// Its name.
    pub name: String,
    /// Milliseconds: the median of the runs.
    pub median_ms: Option<f64>,
    /// The shortest run.
    pub min_ms: Option<f64>,
    /// The longest one.
    pub max_ms: Option<f64>,
    /// All runs, in order.
    pub runs_ms: Vec<f64>,
    /// Why its result is wrong, if it is.
    pub wrong: Option<String>,
    /// Why it did not run, if it did not.
    pub not_run: Option<String>,
}

/// The first contestant beside another one, over the rows where both ran.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct MeanRecord {
    /// The other one.
    pub name: String,
    /// The geometric mean of the ratios of the first one's time to the other's.
    pub ratio: Option<f64>,
    /// The number of rows.
    pub rows: usize,
}

/// The median, the shortest and the longest run that represent a contestant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct EntryTimes {
    /// The run that is compared: the median or the shortest.
    pub time: f64,
    /// The shortest.
    pub min: f64,
    /// The longest.
    pub max: f64,
    /// The longest that the compared run could as well have been: of the median the longest run, of the shortest
    /// one the median.
    pub likely: f64,
    /// The number of runs.
    pub runs: usize,
}

impl RowRecord {
    /// A row as data.
    pub fn new(row: &BenchRow, by: By, noise: RowNoise) -> RowRecord {
        let JudgedBar { factor, against, ratio, met } = report::judged_bar(row, by);
        RowRecord {
            work: row.work.name().into(),
            size: row.size,
            bar: factor,
            against: against.map(str::to_owned),
            ratio,
            met,
            noise,
            contestants: row.entries.iter().map(EntryRecord::new).collect(),
        }
    }

    /// The result of a contestant.
    pub fn entry(&self, name: &str) -> Option<&EntryRecord> {
        self.contestants.iter().find(|entry| entry.name == name)
    }
}

impl EntryRecord {
    fn new(entry: &RowEntry) -> EntryRecord {
        let (wrong, not_run) = match &entry.runs {
            Ok(_) => (None, None),
            Err(Out::Wrong(reason)) => (Some(reason.clone()), None),
            Err(Out::NotRun(reason)) => (None, Some(reason.clone())),
        };
        EntryRecord {
            name: entry.name.clone(),
            median_ms: entry.median(),
            min_ms: entry.range().map(|range| range.0),
            max_ms: entry.range().map(|range| range.1),
            runs_ms: entry.runs.clone().unwrap_or_default(),
            wrong,
            not_run,
        }
    }

    /// Its times, if it ran.
    pub fn times(&self, by: By) -> Option<EntryTimes> {
        let (median, min, max) = (self.median_ms?, self.min_ms?, self.max_ms?);
        let (time, likely) = match by {
            By::Median => (median, max),
            By::Shortest => (min, median),
        };
        Some(EntryTimes { time, min, max, likely, runs: self.runs_ms.len() })
    }

    /// Are these times of something that ran, in their order?
    pub(super) fn is_sound(&self) -> bool {
        let ordered = match (self.min_ms, self.median_ms, self.max_ms) {
            (Some(min), Some(median), Some(max)) => 0.0 < min && min <= median && median <= max && max.is_finite(),
            (None, None, None) => true,
            _ => false,
        };
        ordered && self.runs_ms.iter().all(|run| *run > 0.0 && run.is_finite())
    }
}

impl RaceRecord {
    /// What a record of this version says it is.
    pub fn kind() -> (u32, String) {
        (SCHEMA, KIND.into())
    }

    /// The work and the contestant whose runs differ by more than the limit, and how much.
    pub fn uneven(&self) -> Vec<(&str, &str, f64)> {
        let all = self.rows.iter().flat_map(|row| row.contestants.iter().map(move |entry| (row, entry)));
        let spread = |entry: &EntryRecord| Some(entry.max_ms? / entry.min_ms?);
        all.filter_map(|(row, entry)| Some((row.work.as_str(), entry.name.as_str(), spread(entry)?)))
            .filter(|uneven| uneven.2 > self.noise.limits.runs)
            .collect()
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::harness::noise::LIMITS;
    use tilewise_peers::PeerWork;

    /// A record with the given rows: work, and the runs of `jit`, `rust` and `numba`.
    pub(in crate::harness) fn record(rows: &[(PeerWork, [&[f64]; 3])]) -> RaceRecord {
        let names = ["jit", "rust", "numba"];
        let quiet = RowNoise { loop_spread: 1.01, clock: 1.0, others: Some(0.01), stolen: Some(0.0) };
        let rows: Vec<BenchRow> = rows
            .iter()
            .map(|(work, runs)| BenchRow {
                work: *work,
                size: work.full_size(),
                entries: names
                    .iter()
                    .zip(runs)
                    .map(|(name, runs)| RowEntry {
                        name: (*name).into(),
                        runs: if runs.is_empty() {
                            Err(Out::NotRun("it is elsewhere".into()))
                        } else {
                            Ok(runs.to_vec())
                        },
                    })
                    .collect(),
            })
            .collect();
        RaceRecord {
            schema: SCHEMA,
            report: KIND.into(),
            tilewise: "0.1.0".into(),
            date: "2026-11-28T03:08:37Z".into(),
            seconds: 12.5,
            machine: MachineRecord::this(),
            settings: RaceSettings {
                threads: 2,
                cores: Some("1,0".into()),
                runs: 3,
                compared: By::Median,
                small: false,
                release: true,
            },
            contestants: names
                .map(|name| ContestantRecord { name: name.into(), about: format!("{name} <b>"), ours: name == "jit" })
                .into(),
            absent: vec![AbsentPeer::new("pocl", "OpenCL & more", "there is <no> OpenCL".into())],
            noise: RaceNoise {
                step_ns: 1.0,
                loop_spread: 1.01,
                clock_drift: 1.0,
                others: Some(0.01),
                stolen: None,
                limits: LIMITS,
            },
            means: report::means(&rows, By::Median),
            rows: rows.iter().map(|row| RowRecord::new(row, By::Median, quiet)).collect(),
        }
    }

    #[test]
    fn runs_that_differ_are_named() {
        let record = record(&[(PeerWork::VectorAdd, [&[5.0, 5.5], &[4.0, 5.0], &[]])]);
        assert_eq!(record.uneven(), [("vadd", "rust", 1.25)]);
    }
}
