//! Many seeds, on several threads: generate, judge, shrink what fails, count what was executed.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::case::Case;
use super::coverage::Coverage;
use super::judge::judge;
use super::make::{Budget, generate};
use super::report::{Failure, Fault, FuzzReport};
use super::shrink::shrink;
use crate::target::Target;

/// What to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many kernels at most.
    pub kernels: u64,
    /// After how long no further kernel is begun.
    pub time: Option<Duration>,
    /// Targets to compare; the first is what the others are held against.
    pub targets: Vec<Target>,
    /// Count what was executed? It costs another run of each kernel.
    pub coverage: bool,
    /// Launches that shrinking one failure may cost; 0 leaves it as it was generated.
    pub tries: usize,
    /// How many kernels are run at the same time.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Options {
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let targets = Target::CPU.to_vec();
        Options { seed: 0, kernels: u64::MAX, time: None, targets, coverage: true, tries: 4000, jobs }
    }
}

/// Runs many seeds. `progress` is told what has been done after each kernel; it ends the run by giving false.
pub fn run(options: &Options, progress: &mut (dyn FnMut(&FuzzReport) -> bool + Send)) -> FuzzReport {
    let begin = Instant::now();
    let next = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    let report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    let shared = Mutex::new((report, progress));
    let work = || {
        while !over.load(Ordering::Relaxed) && options.time.is_none_or(|time| begin.elapsed() < time) {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= options.kernels {
                break;
            }
            let one = one(options.seed.wrapping_add(n), options);
            let mut shared = shared.lock().unwrap_or_else(PoisonError::into_inner);
            let (report, progress) = &mut *shared;
            report.take(one);
            report.time = begin.elapsed();
            if !progress(report) {
                over.store(true, Ordering::Relaxed);
            }
        }
    };
    thread::scope(|scope| {
        let others: Vec<_> = (1..options.jobs.max(1)).map(|_| scope.spawn(work)).collect();
        work();
        others.into_iter().for_each(|other| {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        });
    });
    shared.into_inner().unwrap_or_else(PoisonError::into_inner).0
}

/// One seed.
fn one(seed: u64, options: &Options) -> FuzzReport {
    let mut report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    let case = generate(seed, Budget::of_seed(seed));
    report.kernels = 1;
    report.instructions = super::measure::count(&case.kernel) as u64;
    if let Err((fault, detail)) = judge(&case, &options.targets, &mut report) {
        let file = file(case.clone(), seed, fault, &detail, options);
        report.failures.push(Failure { seed, fault, detail, file });
    }
    if let Some(coverage) = &mut report.coverage {
        coverage.add(&case);
    }
    report
}

/// The shrunk case as a file test.
fn file(case: Case, seed: u64, fault: Fault, detail: &str, options: &Options) -> String {
    let title = format!("Found by seed {seed}: {}, {}", fault.name(), detail.lines().next().unwrap_or_default());
    // What is rejected stays as it is: the shrinker asks about accepted kernels only.
    if fault == Fault::Rejected || options.tries == 0 {
        return case.to_file(&title);
    }
    let fails = |case: &Case, targets: &[Target]| {
        let again = judge(case, targets, &mut FuzzReport::default());
        again.is_err_and(|(other, _)| other == fault)
    };
    // Most launches are saved by asking only the first target and one that differs from it.
    let (first, others) = options.targets.split_at(options.targets.len().min(1));
    let pairs = others.iter().map(|&other| [first, &[other]].concat());
    let targets = [first.to_vec()].into_iter().chain(pairs).find(|targets| fails(&case, targets));
    let targets = targets.unwrap_or_else(|| options.targets.clone());
    let small = shrink(case, options.tries, &mut |case: &Case| fails(case, &targets));
    small.to_file(&title)
}
