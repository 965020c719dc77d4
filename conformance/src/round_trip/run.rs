//! Runs many seeds on several threads, and shrinks what fails. As in `fuzz`, a run keeps to its time: kernels that
//! have not finished some time after its end are named, and left behind.

use std::any::Any;
use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::{ImportRoute, PLAN, RoundTripCounts, RoundTripPlan, judge};
use crate::fuzz::{FuzzCase, KernelSize, SLACK, generate, shrink_until};
use crate::target::SuiteTarget;
use crate::whole_file;

/// How to run.
#[derive(Clone, Debug)]
pub struct RoundTripOptions {
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many kernels.
    pub kernels: u64,
    /// After how long no further kernel and no step of shrinking is begun.
    pub time: Option<Duration>,
    /// How long after that time kernels that are under way are waited for.
    pub slack: Duration,
    /// The size of kernels.
    pub size: KernelSize,
    /// The routes, and the targets at their ends.
    pub plan: &'static RoundTripPlan,
    /// The maximum number of launches to shrink one failure.
    pub tries: usize,
    /// The maximum time to shrink one failure; the end of the run's time ends it too.
    pub shrink_time: Option<Duration>,
    /// A folder that each kernel is written to while it runs, so that a kernel that ends the process is known;
    /// failing kernels stay there.
    pub save: Option<PathBuf>,
    /// The number of kernels that run at the same time.
    pub jobs: usize,
}

impl Default for RoundTripOptions {
    fn default() -> RoundTripOptions {
        RoundTripOptions {
            seed: 0,
            kernels: u64::MAX,
            time: None,
            slack: SLACK,
            size: KernelSize::Mixed,
            plan: &PLAN,
            tries: 600,
            shrink_time: None,
            save: None,
            jobs: thread::available_parallelism().map_or(1, usize::from),
        }
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
    /// Seeds whose kernels had not finished at the end of the run's time and its slack.
    pub unfinished: Vec<u64>,
    /// The first error from saving a file.
    pub unsaved: Option<String>,
}

impl RoundTripReport {
    /// The routes of a plan on which no kernel came back: the run shows nothing about them.
    pub fn idle_routes(&self, plan: &RoundTripPlan) -> Vec<(ImportRoute, SuiteTarget)> {
        let is_idle = |end: &&(ImportRoute, SuiteTarget)| self.counts.agreed.get(*end).copied().unwrap_or(0) == 0;
        plan.iter().filter(is_idle).copied().collect()
    }

    /// Did every kernel come back as it left, and some on each route?
    pub fn passed(&self, plan: &RoundTripPlan) -> bool {
        let nothing_wrong = self.failures.is_empty() && self.unfinished.is_empty();
        nothing_wrong && self.kernels > 0 && self.idle_routes(plan).is_empty()
    }

    fn take(&mut self, other: RoundTripReport) {
        self.kernels += other.kernels;
        self.counts.add(&other.counts);
        self.failures.extend(other.failures);
        self.unsaved = self.unsaved.take().or(other.unsaved);
    }
}

/// The result of a seed, or a panic outside of the routes.
type TripResult = Result<RoundTripReport, Box<dyn Any + Send>>;

/// The state that the threads of a run share.
struct TripState {
    options: RoundTripOptions,
    end: Option<Instant>,
    next: AtomicU64,
    over: AtomicBool,
    /// Seeds in progress.
    running: Mutex<BTreeSet<u64>>,
}

impl TripState {
    fn running(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.end.is_some_and(|end| Instant::now() >= end)
    }

    /// Takes seeds until the run is over. Sends the result of each in the moment in which it is no longer in progress.
    fn work(&self, results: &Sender<TripResult>) {
        while !self.is_over() {
            let number = self.next.fetch_add(1, Ordering::Relaxed);
            if number >= self.options.kernels {
                return;
            }
            let seed = self.options.seed.wrapping_add(number);
            self.running().insert(seed);
            let done = catch_unwind(AssertUnwindSafe(|| self.one(seed)));
            let mut running = self.running();
            running.remove(&seed);
            // The receiver is gone if the run has ended without this kernel.
            drop(results.send(done));
        }
    }

    /// Runs one seed.
    fn one(&self, seed: u64) -> RoundTripReport {
        let options = &self.options;
        let case = generate(seed, options.size.budget(seed));
        let mut report = RoundTripReport { kernels: 1, ..RoundTripReport::default() };
        let running = format!("running-{seed}.kir");
        self.save(&mut report, &running, || case.to_file(&format!("Seed {seed}, which runs")));
        if let Err(detail) = judge(&case, options.plan, &mut report.counts) {
            let small = if options.tries == 0 { case } else { self.smaller(case, &detail) };
            let file = small.to_file(&format!("Found by seed {seed}: {}", first_line(&detail)));
            self.save(&mut report, &format!("round-trip-{seed}.kir"), || file.clone());
            report.failures.push(RoundTripFailure { seed, detail, file });
        }
        if let Some(folder) = &options.save {
            // If it is missing, the error from writing it was reported above.
            drop(fs::remove_file(folder.join(running)));
        }
        report
    }

    /// Writes a file to the folder, if there is one.
    fn save(&self, report: &mut RoundTripReport, name: &str, text: impl FnOnce() -> String) {
        let Some(folder) = &self.options.save else { return };
        if let Err(error) = whole_file::replace(&folder.join(name), text().as_bytes()) {
            report.unsaved.get_or_insert_with(|| format!("`{}`: {error}", folder.join(name).display()));
        }
    }

    /// A smaller case that fails on the same route.
    fn smaller(&self, case: FuzzCase, detail: &str) -> FuzzCase {
        let options = &self.options;
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
        let own = options.shrink_time.and_then(|time| Instant::now().checked_add(time));
        let until = own.into_iter().chain(self.end).min();
        shrink_until(case, options.tries, until, &mut |case: &FuzzCase| {
            let judged = judge(case, &plan, &mut RoundTripCounts::default());
            judged.is_err_and(|other| {
                let other = kind(first_line(&other));
                other == wanted || is_byte(&other) && is_byte(&wanted)
            })
        })
    }
}

/// Runs many seeds. Calls `progress` after each kernel; it ends the run by returning false.
pub fn run(options: &RoundTripOptions, progress: &dyn Fn(&RoundTripReport) -> bool) -> RoundTripReport {
    let state = Arc::new(TripState {
        options: options.clone(),
        // A time that overflows the clock is no limit.
        end: options.time.and_then(|time| Instant::now().checked_add(time)),
        next: AtomicU64::new(0),
        over: AtomicBool::new(false),
        running: Mutex::default(),
    });
    let (results, received) = channel();
    // At most one thread for each kernel.
    let jobs = options.kernels.min(options.jobs as u64).max(1);
    let started = (0..jobs).filter(|_| {
        let (state, results) = (Arc::clone(&state), results.clone());
        thread::Builder::new().name("tilewise fuzz".into()).spawn(move || state.work(&results)).is_ok()
    });
    if started.count() == 0 {
        // A process that cannot start more threads does the work on this one.
        state.work(&results);
    }
    drop(results);
    let mut report = RoundTripReport::default();
    let mut take = |one: TripResult| {
        report.take(one.unwrap_or_else(|panic| {
            state.over.store(true, Ordering::Relaxed);
            resume_unwind(panic)
        }));
        if !progress(&report) {
            state.over.store(true, Ordering::Relaxed);
        }
    };
    let until = state.end.and_then(|end| end.checked_add(options.slack));
    while let Some(next) = next(&received, until) {
        take(next);
    }
    let unfinished = {
        let running = state.running();
        received.try_iter().for_each(take);
        running.iter().copied().collect()
    };
    report.unfinished = unfinished;
    report.failures.sort_by_key(|failure| failure.seed);
    report
}

/// A wait without a limit; it is begun again when it is over.
const FOREVER: Duration = Duration::from_secs(3600);

/// The next result; nothing if there will be none, or none arrives until then.
fn next(received: &Receiver<TripResult>, until: Option<Instant>) -> Option<TripResult> {
    loop {
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        match received.recv_timeout(left.unwrap_or(FOREVER)) {
            Ok(result) => return Some(result),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if left.is_some_and(|left| left.is_zero()) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::round_trip::RoundTripGap;

    #[test]
    fn a_route_on_which_nothing_came_back_is_no_success() {
        let mut report = RoundTripReport { kernels: 9, ..RoundTripReport::default() };
        PLAN.iter().for_each(|&end| _ = report.counts.agreed.insert(end, 1));
        assert!(report.passed(&PLAN));
        let lost = PLAN[3];
        report.counts.agreed.remove(&lost);
        report.counts.gap(lost, RoundTripGap::NoGpu);
        assert_eq!(report.idle_routes(&PLAN), [lost]);
        assert!(!report.passed(&PLAN));
        report.counts.agreed.insert(lost, 1);
        report.unfinished.push(7);
        assert!(!report.passed(&PLAN));
    }

    #[test]
    fn each_kernel_is_in_the_folder_while_it_runs_and_not_after() {
        let folder = std::env::temp_dir().join(format!("tilewise-round-trip-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let options = RoundTripOptions {
            kernels: 1,
            size: KernelSize::Small,
            save: Some(folder.clone()),
            jobs: 1,
            ..RoundTripOptions::default()
        };
        let report = run(&options, &|_| true);
        assert_eq!((report.kernels, &report.unsaved), (1, &None));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 0);
        fs::remove_dir(&folder).unwrap();
        // The folder is gone, so the kernel that runs cannot be written.
        let report = run(&options, &|_| true);
        assert!(report.unsaved.is_some_and(|why| why.contains("running-0.kir")));
    }
}
