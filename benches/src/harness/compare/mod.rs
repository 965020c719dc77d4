//! Two races held against each other: which contestants are slower or faster now, beyond the noise of both.
//!
//! A change counts if the runs of the two races do not overlap, with a margin between them: 5%, or as much as the
//! calibration loop of either race varied around the row. Of fewer than three runs nothing is known, so 10% is
//! allowed for each such race; a processor whose clock is slower now has that much more.

mod doubts;

use std::fmt::Write as _;

use super::noise::RowNoise;
use super::race::RaceError;
use super::record::{EntryRecord, EntryTimes, RaceRecord, RowRecord};
use super::report::digits;
pub use doubts::comparable;

/// The margin between the runs of two races, on a quiet machine.
const MARGIN: f64 = 1.05;
/// What one or two runs may be off by.
const FEW_RUNS: f64 = 1.10;
/// The runs from which their range says something.
const ENOUGH_RUNS: usize = 3;

/// A change of a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeVerdict {
    /// Slower, beyond the noise.
    Slower,
    /// Faster, beyond the noise.
    Faster,
    /// The same, within the noise.
    Same,
    /// It ran, and does not now.
    Gone,
    /// It did not run, and does now.
    New,
}

/// A contestant at a kernel, in both races.
#[derive(Clone, PartialEq, Debug)]
pub struct TimeChange {
    /// The kernel.
    pub work: String,
    /// The contestant.
    pub name: String,
    /// Is it a way to run kernels by Tilewise, and so a regression if it is slower?
    pub ours: bool,
    /// Milliseconds then and now.
    pub old: Option<f64>,
    /// See `old`.
    pub new: Option<f64>,
    /// The time now as a multiple of that time; 1 if one is missing.
    pub ratio: f64,
    /// The multiple that is noise: up to it when slower, from 1 over it when faster.
    pub allowed: f64,
    /// The verdict.
    pub verdict: ChangeVerdict,
}

/// All changes between two races.
#[derive(Clone, PartialEq, Debug)]
pub struct RaceChanges {
    /// When the earlier one began, and by which version of Tilewise.
    pub old: String,
    /// Of each kernel and contestant that ran in one of them.
    pub all: Vec<TimeChange>,
    /// What makes the comparison doubtful.
    pub warnings: Vec<String>,
}

impl RaceChanges {
    /// Compares two races.
    ///
    /// # Errors
    /// If they are not comparable.
    pub fn between(old: &RaceRecord, new: &RaceRecord) -> Result<RaceChanges, RaceError> {
        comparable(old, &new.machine, &new.settings)?;
        let clock = new.noise.step_ns / old.noise.step_ns;
        let mut changes = RaceChanges {
            old: format!("{}, Tilewise {}", old.date, old.tilewise),
            all: Vec::new(),
            warnings: doubts::warnings(old, new, clock),
        };
        for row in &new.rows {
            let Some(before) = old.rows.iter().find(|before| before.work == row.work) else { continue };
            if before.size != row.size {
                changes.warnings.push(format!("`{}` had the size {}, and has {} now", row.work, before.size, row.size));
                continue;
            }
            changes.add_row(before, row, new, clock);
        }
        Ok(changes)
    }

    fn add_row(&mut self, old: &RowRecord, new: &RowRecord, record: &RaceRecord, clock: f64) {
        let by = record.settings.compared;
        // Those of the earlier race that take no part now are a warning.
        for entry in &new.contestants {
            let (then, now) = (old.entry(&entry.name), new.entry(&entry.name));
            let times = |entry: Option<&EntryRecord>| entry.and_then(|entry| entry.times(by));
            let Some(judged) = judge(times(then), times(now), [&old.noise, &new.noise], clock) else { continue };
            let ours = record.contestants.iter().any(|known| known.ours && known.name == entry.name);
            self.all.push(TimeChange { work: new.work.clone(), name: entry.name.clone(), ours, ..judged });
        }
    }

    /// Those of a verdict.
    pub fn of(&self, verdict: ChangeVerdict) -> impl Iterator<Item = &TimeChange> {
        self.all.iter().filter(move |change| change.verdict == verdict)
    }

    /// What got worse: an accelerator that is slower, or does not run any more.
    pub fn regressions(&self) -> Vec<&TimeChange> {
        self.all.iter().filter(|change| change.is_regression()).collect()
    }

    /// The comparison as lines.
    pub fn lines(&self) -> Vec<String> {
        let mut out = vec![format!("compared with the race of {}", self.old)];
        out.extend(self.warnings.iter().map(|warning| format!("warning: {warning}")));
        out.push(format!("{:<21}{:<14}{:>10}{:>10}{:>9}{:>10}", "", "", "old ms", "new ms", "new/old", "noise"));
        for change in &self.all {
            let time = |ms: Option<f64>| ms.map_or("-".to_owned(), digits);
            let mut line =
                format!("{:<21}{:<14}{:>10}{:>10}", change.work, change.name, time(change.old), time(change.new));
            if change.old.is_some() && change.new.is_some() {
                let _ = write!(line, "{:>9.2}{:>10.2}", change.ratio, change.allowed);
            } else {
                let _ = write!(line, "{:>19}", "");
            }
            let word = change.word();
            if !word.is_empty() {
                let _ = write!(line, "  {word}");
            }
            out.push(line);
        }
        out.push(self.summary());
        out
    }

    /// The number of each verdict, and what got worse.
    pub fn summary(&self) -> String {
        let count = |verdict| self.of(verdict).count();
        let worse: Vec<String> = self.regressions().iter().map(|change| change.in_words()).collect();
        let worse =
            if worse.is_empty() { "no regression".to_owned() } else { format!("REGRESSED: {}", worse.join(", ")) };
        format!(
            "{} times compared: {} slower, {} faster, {} within the noise; {worse}",
            count(ChangeVerdict::Slower) + count(ChangeVerdict::Faster) + count(ChangeVerdict::Same),
            count(ChangeVerdict::Slower),
            count(ChangeVerdict::Faster),
            count(ChangeVerdict::Same)
        )
    }
}

impl TimeChange {
    /// Is it ours that got worse?
    pub fn is_regression(&self) -> bool {
        self.ours && matches!(self.verdict, ChangeVerdict::Slower | ChangeVerdict::Gone)
    }

    /// The verdict in a word.
    pub fn word(&self) -> &'static str {
        match self.verdict {
            ChangeVerdict::Slower if self.ours => "SLOWER",
            ChangeVerdict::Slower => "slower",
            ChangeVerdict::Faster => "faster",
            ChangeVerdict::Same => "",
            ChangeVerdict::Gone => "does not run any more",
            ChangeVerdict::New => "did not run before",
        }
    }

    fn in_words(&self) -> String {
        match self.verdict {
            ChangeVerdict::Gone => format!("{} on {} does not run any more", self.work, self.name),
            ChangeVerdict::Slower | ChangeVerdict::Faster | ChangeVerdict::Same | ChangeVerdict::New => {
                format!("{} on {} ({:.2} times)", self.work, self.name, self.ratio)
            }
        }
    }
}

/// The verdict about a contestant, whose name the caller fills in; nothing if it ran in neither race.
fn judge(old: Option<EntryTimes>, new: Option<EntryTimes>, noise: [&RowNoise; 2], clock: f64) -> Option<TimeChange> {
    let mut out = TimeChange {
        work: String::new(),
        name: String::new(),
        ours: false,
        old: old.map(|times| times.time),
        new: new.map(|times| times.time),
        ratio: 1.0,
        allowed: 1.0,
        verdict: ChangeVerdict::Same,
    };
    let (old, new) = match (old, new) {
        (Some(old), Some(new)) => (old, new),
        (Some(_), None) => return Some(TimeChange { verdict: ChangeVerdict::Gone, ..out }),
        (None, Some(_)) => return Some(TimeChange { verdict: ChangeVerdict::New, ..out }),
        (None, None) => return None,
    };
    let margin = noise.iter().fold(MARGIN, |margin, noise| margin.max(noise.loop_spread));
    let above = |times: EntryTimes| least_noise(times.likely / times.time, times.runs);
    let below = |times: EntryTimes| least_noise(times.time / times.min, times.runs);
    let slower = margin * above(old) * below(new) * clock.max(1.0);
    let faster = margin * below(old) * above(new) * (1.0 / clock).max(1.0);
    out.ratio = new.time / old.time;
    out.allowed = if out.ratio >= 1.0 { slower } else { 1.0 / faster };
    out.verdict = match out.ratio {
        ratio if ratio > slower => ChangeVerdict::Slower,
        ratio if ratio < 1.0 / faster => ChangeVerdict::Faster,
        _ => ChangeVerdict::Same,
    };
    Some(out)
}

/// What the range of some runs says, or what is allowed where there are too few.
fn least_noise(range: f64, runs: usize) -> f64 {
    if runs < ENOUGH_RUNS { range.max(FEW_RUNS) } else { range }
}

#[cfg(test)]
mod tests {
    use tilewise_peers::PeerWork;

    use super::*;
    use crate::harness::record::tests::record;

    const VADD: PeerWork = PeerWork::VectorAdd;

    /// The verdict about `jit`, from its runs in both races.
    fn verdict(old: &[f64], new: &[f64]) -> ChangeVerdict {
        let of = |runs| record(&[(VADD, [runs, &[7.0, 7.0, 7.0], &[]])]);
        RaceChanges::between(&of(old), &of(new)).expect("they are comparable").all[0].verdict
    }

    #[test]
    fn a_change_counts_beyond_the_noise_of_both_races() {
        let quiet = [10.0, 10.0, 10.0];
        assert_eq!(verdict(&quiet, &quiet), ChangeVerdict::Same);
        assert_eq!(verdict(&quiet, &[10.4, 10.4, 10.4]), ChangeVerdict::Same, "within the margin");
        assert_eq!(verdict(&quiet, &[10.6, 10.6, 10.6]), ChangeVerdict::Slower);
        assert_eq!(verdict(&quiet, &[9.4, 9.4, 9.4]), ChangeVerdict::Faster);
        // The longest run of the old race and the shortest of the new one decide.
        assert_eq!(verdict(&[10.0, 10.0, 12.0], &[11.5, 12.0, 13.0]), ChangeVerdict::Same);
        assert_eq!(verdict(&[10.0, 10.0, 12.0], &[12.7, 13.0, 14.0]), ChangeVerdict::Slower);
        // Of one run little is known.
        assert_eq!(verdict(&[10.0], &[11.9]), ChangeVerdict::Same);
        assert_eq!(verdict(&[10.0], &[13.0]), ChangeVerdict::Slower);
    }

    #[test]
    fn of_shortest_runs_only_the_shorter_half_is_noise() {
        let of = |runs: &[f64]| {
            let mut record = record(&[(VADD, [runs, &[7.0, 7.0, 7.0], &[]])]);
            record.settings.compared = crate::harness::row::By::Shortest;
            record
        };
        let (old, new) = (of(&[10.0, 10.1, 30.0]), of(&[11.0, 11.0, 40.0]));
        assert_eq!(RaceChanges::between(&old, &new).expect("comparable").all[0].verdict, ChangeVerdict::Slower);
        assert_eq!(RaceChanges::between(&old, &old).expect("comparable").all[0].verdict, ChangeVerdict::Same);
    }

    #[test]
    fn noise_around_a_row_widens_what_is_allowed() {
        let of = |ms: f64| record(&[(VADD, [&[ms, ms, ms], &[7.0, 7.0, 7.0], &[]])]);
        let (old, mut new) = (of(10.0), of(11.0));
        let verdict = |new: &RaceRecord| RaceChanges::between(&old, new).expect("comparable").all[0].verdict;
        assert_eq!(verdict(&new), ChangeVerdict::Slower);
        new.rows[0].noise.loop_spread = 1.3;
        assert_eq!(verdict(&new), ChangeVerdict::Same);
        let mut new = of(11.0);
        new.noise.step_ns = 1.2;
        assert_eq!(verdict(&new), ChangeVerdict::Same, "the processor is slower");
        let warnings = RaceChanges::between(&old, &new).expect("comparable").warnings;
        assert!(warnings.iter().any(|warning| warning.contains("1.20 times as long now")), "{warnings:?}");
    }

    #[test]
    fn only_what_is_ours_is_a_regression_and_it_is_named() {
        let old = record(&[(VADD, [&[10.0; 3], &[7.0; 3], &[5.0; 3]]), (PeerWork::Scan, [&[3.0; 3], &[1.0; 3], &[]])]);
        let new = record(&[(VADD, [&[20.0; 3], &[14.0; 3], &[]]), (PeerWork::Scan, [&[], &[1.0; 3], &[1.0; 3]])]);
        let changes = RaceChanges::between(&old, &new).expect("comparable");
        let words: Vec<(&str, &str, &str)> =
            changes.all.iter().map(|change| (change.work.as_str(), change.name.as_str(), change.word())).collect();
        assert_eq!(
            words,
            [
                ("vadd", "jit", "SLOWER"),
                ("vadd", "rust", "slower"),
                ("vadd", "numba", "does not run any more"),
                ("scan", "jit", "does not run any more"),
                ("scan", "rust", ""),
                ("scan", "numba", "did not run before"),
            ]
        );
        let regressions: Vec<&str> = changes.regressions().iter().map(|change| change.work.as_str()).collect();
        assert_eq!(regressions, ["vadd", "scan"]);
        let summary = changes.summary();
        assert!(
            summary.starts_with("3 times compared: 2 slower, 0 faster, 1 within the noise; REGRESSED: "),
            "{summary}"
        );
        assert!(summary.contains("vadd on jit (2.00 times), scan on jit does not run any more"), "{summary}");
        let lines = changes.lines();
        assert!(lines.iter().any(|line| line.contains("vadd") && line.contains("SLOWER")), "{lines:?}");
        let same = RaceChanges::between(&old, &old).expect("comparable");
        assert!(same.regressions().is_empty() && same.summary().ends_with("no regression"));
    }
}
