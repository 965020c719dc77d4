//! What disturbs a race, measured: how evenly a loop of pure arithmetic runs on each core before and between the rows,
//! and which part of the cores' time others took.
//!
//! A [`NoiseMeter`] measures, [`RowNoise`] is of a row, [`RaceNoise`] of the whole; what is beyond [`NoiseLimits`] is
//! said with its figures.

mod calibration;
mod processor_time;

use serde::{Deserialize, Serialize};

use calibration::{CalibrationLoop, CoreSamples};
use processor_time::ProcessorTime;

/// Beyond these figures a machine is called noisy. They are in each report, with what was measured.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct NoiseLimits {
    /// The 90th percentile of the loop's times, as a multiple of its shortest.
    pub loop_spread: f64,
    /// The shortest time of the loop at the slowest moment, as a multiple of that at the fastest.
    pub clock_drift: f64,
    /// The part of the cores' time that other programs took.
    pub others: f64,
    /// The part of the cores' time that the host of a virtual machine took.
    pub stolen: f64,
    /// The longest run of a contestant, as a multiple of its shortest.
    pub runs: f64,
}

/// A quiet machine is within these: its loop is within 2 % and its system takes about 1 % of two cores.
pub const LIMITS: NoiseLimits =
    NoiseLimits { loop_spread: 1.10, clock_drift: 1.05, others: 0.05, stolen: 0.02, runs: 1.20 };

/// The noise around a row.
#[derive(Serialize, Deserialize, Clone, Copy, PartialEq, Debug)]
pub struct RowNoise {
    /// The 90th percentile of the loop's times before and after the row, as a multiple of their shortest; of the worst
    /// core.
    pub loop_spread: f64,
    /// The shortest time of the loop after the row, as a multiple of the first one of the race; of the worst core.
    pub clock: f64,
    /// The part of the cores' time that other programs took, if the row was long enough to tell.
    pub others: Option<f64>,
    /// The part that the host of a virtual machine took.
    pub stolen: Option<f64>,
}

/// The noise of a race.
#[derive(Serialize, Deserialize, Clone, PartialEq, Debug)]
pub struct RaceNoise {
    /// Nanoseconds of a step of the loop, the shortest of all, on the slowest core: how fast the machine is.
    pub step_ns: f64,
    /// The 90th percentile of all times of the loop, as a multiple of their shortest; of the worst core.
    pub loop_spread: f64,
    /// The shortest time of the loop at the slowest moment, as a multiple of that at the fastest; of the worst core.
    pub clock_drift: f64,
    /// The part of the cores' time that other programs took, if the system tells.
    pub others: Option<f64>,
    /// The part that the host of a virtual machine took.
    pub stolen: Option<f64>,
    /// What is beyond this is noise.
    pub limits: NoiseLimits,
}

/// The measures of a row or a race, under names of its own.
struct NoiseFigures {
    loop_spread: f64,
    clock: f64,
    others: Option<f64>,
    stolen: Option<f64>,
}

impl NoiseFigures {
    /// What is beyond the limits, each in words with its figure.
    fn findings(&self, limits: &NoiseLimits) -> Vec<String> {
        let mut out = Vec::new();
        if let Some(others) = self.others.filter(|&others| others > limits.others) {
            out.push(format!("other programs took {} of the cores' time", percent(others)));
        }
        if let Some(stolen) = self.stolen.filter(|&stolen| stolen > limits.stolen) {
            out.push(format!("the host of this virtual machine took {} of the cores' time", percent(stolen)));
        }
        if self.loop_spread > limits.loop_spread {
            let times = self.loop_spread;
            out.push(format!("the same loop took {times:.2} times its shortest time at the 90th percentile"));
        }
        if self.clock > limits.clock_drift {
            out.push(format!("its shortest time was {:.2} times as long at one moment as at another", self.clock));
        }
        out
    }
}

impl RowNoise {
    /// What is beyond the limits, each in words with its figure.
    pub fn findings(&self, limits: &NoiseLimits) -> Vec<String> {
        let RowNoise { loop_spread, clock, others, stolen } = *self;
        NoiseFigures { loop_spread, clock: clock.max(1.0 / clock), others, stolen }.findings(limits)
    }
}

impl RaceNoise {
    /// What is beyond the limits, each in words with its figure.
    pub fn findings(&self) -> Vec<String> {
        let RaceNoise { loop_spread, clock_drift, others, stolen, .. } = *self;
        NoiseFigures { loop_spread, clock: clock_drift, others, stolen }.findings(&self.limits)
    }

    /// All figures in a sentence.
    pub fn sentence(&self) -> String {
        let part = |part: Option<f64>| part.map_or("an unknown part".to_owned(), percent);
        format!(
            "others took {} of the cores' time and the host of a virtual machine {}; the same loop took {:.2} times \
             its shortest time at the 90th percentile, and its shortest time changed by {:.2} times",
            part(self.others),
            part(self.stolen),
            self.loop_spread,
            self.clock_drift
        )
    }
}

/// A part as text.
pub fn percent(part: f64) -> String {
    match part * 100.0 {
        percent if percent < 0.95 => format!("{percent:.1}%"),
        percent => format!("{percent:.0}%"),
    }
}

/// Measures during a race.
pub struct NoiseMeter {
    calibration: CalibrationLoop,
    /// The cores whose time counts.
    cores: Vec<usize>,
    samples: Vec<CoreSamples>,
    begin: Option<ProcessorTime>,
    /// The end of the last row.
    last: Option<ProcessorTime>,
}

impl NoiseMeter {
    /// Begins with a calibration on each of the cores.
    pub fn begin(threads: usize) -> NoiseMeter {
        let cores = tilewise_peers::pool::cores();
        // Two loops on one core would disturb each other.
        let calibration = CalibrationLoop::new(threads.min(cores.len().max(1)));
        let samples = vec![calibration.take()];
        let now = ProcessorTime::now(&cores);
        NoiseMeter { calibration, cores, samples, begin: now, last: now }
    }

    /// The noise before the first row, which does not count as noise of the race.
    pub fn before(&mut self) -> RowNoise {
        let noise = self.row();
        self.begin = self.last;
        noise
    }

    /// The noise since the last call, which was at the beginning of a row.
    pub fn row(&mut self) -> RowNoise {
        let now = ProcessorTime::now(&self.cores);
        let share = self.last.zip(now).and_then(|(last, now)| now.since(last));
        let after = self.calibration.take();
        let around = self.samples.last().map_or_else(|| after.clone(), |before| before.with(&after));
        let clock = after.slower_than(&self.samples[0]);
        self.samples.push(after);
        self.last = ProcessorTime::now(&self.cores);
        RowNoise {
            loop_spread: around.spread(),
            clock,
            others: share.map(|share| share.others),
            stolen: share.map(|share| share.stolen),
        }
    }

    /// The noise of the whole race.
    pub fn end(&self) -> RaceNoise {
        let now = ProcessorTime::now(&self.cores);
        let share = self.begin.zip(now).and_then(|(begin, now)| now.since(begin));
        let all = self.samples[1..].iter().fold(self.samples[0].clone(), |all, more| all.with(more));
        RaceNoise {
            step_ns: all.shortest_ns(),
            loop_spread: all.spread(),
            clock_drift: CoreSamples::drift(&self.samples),
            others: share.map(|share| share.others),
            stolen: share.map(|share| share.stolen),
            limits: LIMITS,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn noise(loop_spread: f64, clock_drift: f64, others: Option<f64>, stolen: Option<f64>) -> RaceNoise {
        RaceNoise { step_ns: 1.0, loop_spread, clock_drift, others, stolen, limits: LIMITS }
    }

    #[test]
    fn a_quiet_machine_has_no_findings_and_its_figures_are_said() {
        let quiet = noise(1.01, 1.0, Some(0.004), Some(0.0));
        assert_eq!(quiet.findings(), Vec::<String>::new());
        let said = quiet.sentence();
        assert!(said.starts_with("others took 0.4% of the cores' time"), "{said}");
        assert!(said.contains("1.01 times its shortest"), "{said}");
        assert!(noise(1.0, 1.0, None, None).sentence().contains("an unknown part"));
    }

    #[test]
    fn each_disturbance_is_said_with_its_figure() {
        assert_eq!(noise(1.0, 1.0, Some(0.14), None).findings(), ["other programs took 14% of the cores' time"]);
        assert!(noise(1.0, 1.0, None, Some(0.03)).findings()[0].contains("host of this virtual machine took 3%"));
        let loops = noise(1.31, 1.0, None, None).findings();
        assert_eq!(loops, ["the same loop took 1.31 times its shortest time at the 90th percentile"]);
        assert!(noise(1.0, 1.2, None, None).findings()[0].contains("1.20 times as long"));
        assert_eq!(noise(1.31, 1.2, Some(0.5), Some(0.5)).findings().len(), 4);
        // A clock that becomes faster changes the times of a row, too.
        let row = RowNoise { loop_spread: 1.0, clock: 0.8, others: None, stolen: None };
        assert!(row.findings(&LIMITS)[0].contains("1.25 times as long"));
    }

    #[test]
    fn a_meter_measures_what_is_possible() {
        let mut meter = NoiseMeter::begin(1);
        assert!(meter.before().loop_spread >= 1.0);
        assert_eq!(meter.begin, meter.last);
        let row = meter.row();
        assert!(row.loop_spread >= 1.0 && row.clock > 0.0 && row.clock.is_finite(), "{row:?}");
        let all = meter.end();
        assert!(all.loop_spread >= 1.0 && all.clock_drift >= 1.0 && all.step_ns > 0.0, "{all:?}");
    }
}
