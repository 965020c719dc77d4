//! Runs many seeds on several threads, and shrinks what fails.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{PLAN, RoundTripCounts, RoundTripPlan, judge};
use crate::fuzz::{FuzzCase, KernelSize, generate, shrink};

/// How to run.
#[derive(Clone, Copy, Debug)]
pub struct RoundTripOptions<'a> {
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many kernels.
    pub kernels: u64,
    /// After how long no further kernel is begun.
    pub time: Option<Duration>,
    /// The size of kernels.
    pub size: KernelSize,
    /// The routes, and the targets at their ends.
    pub plan: &'a RoundTripPlan,
    /// The maximum number of launches to shrink one failure.
    pub tries: usize,
    /// The number of kernels that run at the same time.
    pub jobs: usize,
}

impl Default for RoundTripOptions<'_> {
    fn default() -> Self {
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let size = KernelSize::Mixed;
        RoundTripOptions { seed: 0, kernels: u64::MAX, time: None, size, plan: &PLAN, tries: 600, jobs }
    }
}

/// A kernel that did not come back as it left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundTripFailure {
    /// The seed of the kernel.
    pub seed: u64,
    /// The route, and what is wrong.
    pub detail: String,
    /// The shrunk kernel as a file test.
    pub file: String,
}

/// The results of a run.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RoundTripReport {
    /// Kernels that were tried.
    pub kernels: u64,
    /// What became of them.
    pub counts: RoundTripCounts,
    /// Those that came back otherwise.
    pub failures: Vec<RoundTripFailure>,
}

/// Runs many seeds. Calls `progress` after each kernel; it ends the run by returning false.
pub fn run(options: &RoundTripOptions<'_>, progress: &(dyn Fn(&RoundTripReport) -> bool + Sync)) -> RoundTripReport {
    let end = options.time.and_then(|time| Instant::now().checked_add(time));
    let next = AtomicU64::new(0);
    let report = Mutex::new(RoundTripReport::default());
    let locked = || report.lock().unwrap_or_else(PoisonError::into_inner);
    let work = || {
        while end.is_none_or(|end| Instant::now() < end) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= options.kernels {
                return;
            }
            let (counts, failure) = one(options.seed.wrapping_add(number), options);
            let mut report = locked();
            report.kernels += 1;
            report.counts.add(&counts);
            report.failures.extend(failure);
            if !progress(&report) {
                next.store(options.kernels, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..options.jobs.max(1) {
            scope.spawn(work);
        }
        work();
    });
    let mut report = report.into_inner().unwrap_or_else(PoisonError::into_inner);
    report.failures.sort_by_key(|failure| failure.seed);
    report
}

/// Runs one seed.
fn one(seed: u64, options: &RoundTripOptions<'_>) -> (RoundTripCounts, Option<RoundTripFailure>) {
    let case = generate(seed, options.size.budget(seed));
    let mut counts = RoundTripCounts::default();
    let Err(detail) = judge(&case, options.plan, &mut counts) else { return (counts, None) };
    let small = if options.tries == 0 { case } else { smaller(case, &detail, options) };
    let file = small.to_file(&format!("Found by seed {seed}: {}", first_line(&detail)));
    (counts, Some(RoundTripFailure { seed, detail, file }))
}

/// A smaller case that fails on the same route.
fn smaller(case: FuzzCase, detail: &str, options: &RoundTripOptions<'_>) -> FuzzCase {
    let kind = |detail: &str| detail.split(':').take(2).collect::<Vec<_>>().join(":");
    let wanted = kind(first_line(detail));
    // One route is enough to see it.
    let plan: Vec<_> = options
        .plan
        .iter()
        .copied()
        .filter(|(route, target)| wanted.starts_with(&format!("{route} on {target}:")))
        .collect();
    let is_byte = |text: &str| text.contains("byte ");
    shrink(case, options.tries, &mut |case: &FuzzCase| {
        let judged = judge(case, &plan, &mut RoundTripCounts::default());
        judged.is_err_and(|other| {
            let other = kind(first_line(&other));
            other == wanted || is_byte(&other) && is_byte(&wanted)
        })
    })
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
