//! The loop of pure arithmetic whose times tell how evenly a core runs: it needs no memory and is always the same, so
//! only other work on the core, or another clock, changes its time.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use tilewise_peers::pool;

/// About the time of the loop.
const LONG: Duration = Duration::from_millis(2);
/// How often it runs at each calibration.
const SAMPLES: usize = 30;

/// The loop on each core.
pub(super) struct CalibrationLoop {
    pool: ThreadPool,
    /// Steps of the loop, which stay the same for a race.
    steps: u64,
}

/// The time of a step in nanoseconds: for each core all samples, sorted.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct CoreSamples(Vec<Vec<f64>>);

/// Steps that each wait for the one before; no compiler makes them fewer.
fn spin(steps: u64) -> Duration {
    let start = Instant::now();
    let mut word = black_box(0x9E37_79B9_7F4A_7C15_u64);
    for _ in 0..steps {
        word ^= word << 13;
        word ^= word >> 7;
        word ^= word << 17;
    }
    black_box(word);
    start.elapsed()
}

impl CalibrationLoop {
    /// Finds how many steps take about as long as a sample should.
    pub(super) fn new(threads: usize) -> CalibrationLoop {
        const FEW: u64 = 1 << 14;
        let pool = pool::pinned(threads);
        let few = pool.install(|| (0..9).map(|_| spin(FEW)).min()).unwrap_or(LONG);
        let steps = FEW as f64 * LONG.as_secs_f64() / few.as_secs_f64().max(1e-9);
        CalibrationLoop { pool, steps: (steps as u64).max(FEW) }
    }

    /// Runs it on all cores at once.
    pub(super) fn take(&self) -> CoreSamples {
        let sample = || spin(self.steps).as_secs_f64() * 1e9 / self.steps as f64;
        CoreSamples::new(self.pool.broadcast(|_| (0..SAMPLES).map(|_| sample()).collect()))
    }
}

impl CoreSamples {
    /// Sorts the samples of each core.
    fn new(mut cores: Vec<Vec<f64>>) -> CoreSamples {
        cores.iter_mut().for_each(|samples| samples.sort_by(f64::total_cmp));
        CoreSamples(cores)
    }

    /// These and those.
    pub(super) fn with(&self, more: &CoreSamples) -> CoreSamples {
        CoreSamples::new(self.0.iter().zip(&more.0).map(|(own, more)| [&own[..], more].concat()).collect())
    }

    /// The 90th percentile as a multiple of the shortest, on the worst core.
    pub(super) fn spread(&self) -> f64 {
        self.worst(|samples| samples.get(samples.len() * 9 / 10).copied().unwrap_or(1.0) / shortest(samples))
    }

    /// The shortest, on the slowest core.
    pub(super) fn shortest_ns(&self) -> f64 {
        self.worst(shortest)
    }

    /// The shortest as a multiple of that of `first`, on the core that has become the slowest.
    pub(super) fn slower_than(&self, first: &CoreSamples) -> f64 {
        let ratios = self.0.iter().zip(&first.0).map(|(own, first)| shortest(own) / shortest(first));
        ratios.max_by(f64::total_cmp).unwrap_or(1.0)
    }

    /// The shortest of the slowest moment as a multiple of that of the fastest, on the worst core.
    pub(super) fn drift(all: &[CoreSamples]) -> f64 {
        let pairs = all.iter().flat_map(|later| all.iter().map(move |first| later.slower_than(first)));
        pairs.max_by(f64::total_cmp).unwrap_or(1.0)
    }

    fn worst(&self, measure: impl Fn(&[f64]) -> f64) -> f64 {
        self.0.iter().map(|samples| measure(samples)).max_by(f64::total_cmp).unwrap_or(1.0)
    }
}

/// The first of sorted samples.
fn shortest(samples: &[f64]) -> f64 {
    samples.first().copied().unwrap_or(1.0).max(1e-9)
}

#[cfg(test)]
mod tests {
    use approx::assert_abs_diff_eq;

    use super::*;

    /// A core with a sample of each of these times.
    fn samples(cores: &[&[f64]]) -> CoreSamples {
        CoreSamples::new(cores.iter().map(|core| core.to_vec()).collect())
    }

    #[test]
    fn the_spread_is_that_of_the_worst_core() {
        let even = [2.0; 10];
        let mut uneven = [1.0; 10];
        uneven[3] = 1.5;
        assert_abs_diff_eq!(samples(&[&even]).spread(), 1.0);
        assert_abs_diff_eq!(samples(&[&even, &uneven]).spread(), 1.5);
        // One of twenty is above the 90th percentile.
        let more = samples(&[&even, &uneven]).with(&samples(&[&even, &[1.0; 10]]));
        assert_abs_diff_eq!(more.spread(), 1.0);
        assert_abs_diff_eq!(more.shortest_ns(), 2.0);
    }

    #[test]
    fn a_slower_clock_is_seen_in_the_shortest_time() {
        let first = samples(&[&[2.0, 3.0], &[1.0, 1.0]]);
        let later = samples(&[&[2.0, 9.0], &[1.25, 1.25]]);
        assert_abs_diff_eq!(later.slower_than(&first), 1.25);
        assert_abs_diff_eq!(first.slower_than(&later), 1.0);
        assert_abs_diff_eq!(CoreSamples::drift(&[first.clone(), later, first]), 1.25);
    }
}
