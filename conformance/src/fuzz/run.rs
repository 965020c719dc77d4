//! Runs many seeds on several threads: generates, judges, shrinks failures, counts coverage.
//!
//! **A run keeps to its time.** After [`FuzzOptions::time`] no kernel and no step of shrinking
//! begins. A launch in flight then cannot be ended: a driver may take minutes for a kernel, or
//! never return. So the run waits for the threads that launch no longer than
//! [`FuzzOptions::slack`]; the report lists the kernels that have not finished, and their threads
//! end with the process.

use std::any::Any;
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::case::FuzzCase;
use super::coverage::Coverage;
use super::judge::{KernelLauncher, VariantChoice, judge_by};
use super::make::{KernelSize, generate};
use super::report::{FuzzFailure, FuzzFault, FuzzReport};
use super::shrink::shrink_until;
use crate::target::SuiteTarget;
use crate::whole_file;

/// The options of a run.
#[derive(Clone, Debug)]
pub struct FuzzOptions {
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many kernels at most.
    pub kernels: u64,
    /// After how long no further kernel and no step of shrinking is begun.
    pub time: Option<Duration>,
    /// How long after that time kernels that are under way are waited for.
    pub slack: Duration,
    /// The size of kernels.
    pub size: KernelSize,
    /// Targets to compare; the others are compared with the first.
    pub targets: Vec<SuiteTarget>,
    /// Does each kernel run on the first target and only one of the others, in turn?
    pub alternate: bool,
    /// Does each target launch a kernel in only one of its variants (threads, lanes), in turn?
    pub once: bool,
    /// Count executed features? It costs another run of each kernel.
    pub coverage: bool,
    /// The function that launches kernels.
    pub launcher: KernelLauncher,
    /// A folder that each kernel is written to while it runs, so that a kernel that ends the
    /// process is known; failing kernels stay there.
    pub save: Option<PathBuf>,
    /// The maximum number of launches to shrink one failure; 0 leaves it as generated.
    pub tries: usize,
    /// The maximum time to shrink one failure; the end of the run's time ends it too.
    pub shrink_time: Option<Duration>,
    /// The number of kernels that run at the same time.
    pub jobs: usize,
    /// Does the first failure, or the first kernel that a driver refuses, end the run? No kernel begins
    /// after it.
    pub until_failure: bool,
    /// Ends the run when it becomes true: no kernel begins, shrinking stops, and kernels in flight have
    /// [`FuzzOptions::slack`] to finish.
    pub interrupt: Option<Arc<AtomicBool>>,
}

impl Default for FuzzOptions {
    fn default() -> FuzzOptions {
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let targets = SuiteTarget::on_this_cpu();
        FuzzOptions {
            seed: 0,
            kernels: u64::MAX,
            time: None,
            slack: SLACK,
            size: KernelSize::Mixed,
            targets,
            alternate: false,
            once: false,
            coverage: true,
            launcher: KernelLauncher::default(),
            save: None,
            tries: 4000,
            shrink_time: None,
            jobs,
            until_failure: false,
            interrupt: None,
        }
    }
}

impl FuzzOptions {
    /// The targets that the kernel of a seed runs on.
    pub fn targets_of(&self, seed: u64) -> Vec<SuiteTarget> {
        match self.targets.split_first() {
            Some((&first, others)) if self.alternate && others.len() > 1 => {
                // The seed's number determines the size too: each size should run on every target.
                let turn = (seed / SIZES).wrapping_add(seed) % others.len() as u64;
                vec![first, others[turn as usize]]
            }
            _ => self.targets.clone(),
        }
    }
}

impl FuzzOptions {
    /// Has the run been interrupted?
    pub fn is_interrupted(&self) -> bool {
        self.interrupt.as_ref().is_some_and(|interrupt| interrupt.load(Ordering::Relaxed))
    }

    /// The variants in which the kernel of a seed is launched.
    fn variants_of(&self, seed: u64) -> VariantChoice {
        // As for targets: each size in every variant.
        if self.once { VariantChoice::Turn((seed / SIZES).wrapping_add(seed)) } else { VariantChoice::All }
    }

    /// Writes a file to the folder, if there is one.
    fn save(&self, report: &mut FuzzReport, name: &str, text: impl FnOnce() -> String) {
        let Some(folder) = &self.save else { return };
        if let Err(error) = whole_file::replace(&folder.join(name), text().as_bytes()) {
            report.unsaved.get_or_insert_with(|| format!("`{}`: {error}", folder.join(name).display()));
        }
    }
}

/// The time for a launch that is in flight at the end of a run's time: far more than most launches
/// take.
pub const SLACK: Duration = Duration::from_secs(20);

/// The period of budgets over seeds.
const SIZES: u64 = 32;

/// The state that the threads of a run share.
struct RunShared {
    options: FuzzOptions,
    /// The end of the run's time.
    end: Option<Instant>,
    /// The number of seeds that were begun.
    next: AtomicU64,
    /// Does no further kernel begin?
    over: AtomicBool,
    /// Seeds in progress.
    running: Mutex<BTreeSet<u64>>,
    told: Told,
}

/// The result of a seed, or the panic of the fuzzer itself.
type Sent = Result<FuzzReport, Box<dyn Any + Send>>;

impl RunShared {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Relaxed) || self.options.is_interrupted() || is_past(self.end)
    }

    /// Begins no further kernel after a failure, if the options say so.
    fn note_failure(&self) {
        if self.options.until_failure {
            self.over.store(true, Ordering::Relaxed);
        }
    }

    fn running(&self) -> MutexGuard<'_, BTreeSet<u64>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes seeds until the run is over. Sends the result of each in the moment in which it is no
    /// longer in progress.
    fn work(&self, results: &Sender<Sent>) {
        while !self.is_over() {
            let n = self.next.fetch_add(1, Ordering::Relaxed);
            if n >= self.options.kernels {
                return;
            }
            let seed = self.options.seed.wrapping_add(n);
            self.running().insert(seed);
            let done = catch_unwind(AssertUnwindSafe(|| one(seed, self)));
            let mut running = self.running();
            running.remove(&seed);
            // The receiver is gone if the run has ended without this kernel.
            drop(results.send(done));
        }
    }

    /// The latest end of shrinking that begins now.
    fn shrinking_ends(&self) -> Option<Instant> {
        let own = self.options.shrink_time.and_then(|time| Instant::now().checked_add(time));
        own.into_iter().chain(self.end).min()
    }
}

fn is_past(end: Option<Instant>) -> bool {
    end.is_some_and(|end| Instant::now() >= end)
}

/// Runs many seeds. Calls `progress` with the results so far after each kernel; it ends the run by
/// returning false.
pub fn run(options: &FuzzOptions, progress: &mut (dyn FnMut(&FuzzReport) -> bool + Send)) -> FuzzReport {
    let begin = Instant::now();
    if cfg!(debug_assertions) {
        tilewise_cpu_jit::emit::check_generated_code();
    }
    let shared = Arc::new(RunShared {
        options: options.clone(),
        // A time that overflows the clock is no limit.
        end: options.time.and_then(|time| begin.checked_add(time)),
        next: AtomicU64::new(0),
        over: AtomicBool::new(false),
        running: Mutex::default(),
        told: Mutex::default(),
    });
    let (results, received) = channel();
    // At most one thread for each kernel.
    let jobs = options.kernels.min(options.jobs as u64).max(1);
    let started = (0..jobs).filter(|_| {
        let (shared, results) = (Arc::clone(&shared), results.clone());
        thread::Builder::new().name("tilewise fuzz".into()).spawn(move || shared.work(&results)).is_ok()
    });
    if started.count() == 0 {
        // A process that cannot start more threads does the work on this one.
        shared.work(&results);
    }
    drop(results);
    let mut report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    let mut take = |one: Sent| {
        report.take(one.unwrap_or_else(|panic| {
            shared.over.store(true, Ordering::Relaxed);
            resume_unwind(panic)
        }));
        report.time = begin.elapsed();
        if !progress(&report) {
            shared.over.store(true, Ordering::Relaxed);
        }
    };
    let mut wait_until = shared.end.and_then(|end| end.checked_add(options.slack));
    while let Some(next) = next(&received, options, &mut wait_until) {
        take(next);
    }
    let unfinished = {
        let running = shared.running();
        received.try_iter().for_each(take);
        running.iter().copied().collect()
    };
    let begun = shared.next.load(Ordering::Relaxed).min(options.kernels);
    FuzzReport { unfinished, time: begin.elapsed(), next_seed: options.seed.wrapping_add(begun), ..report }
}

/// How often a run that waits for a result looks whether it is interrupted.
const LOOK: Duration = Duration::from_millis(50);

/// The next result; `None` if there will be none, or none arrives until then. An interrupted run waits no
/// longer than its slack.
fn next(received: &Receiver<Sent>, options: &FuzzOptions, until: &mut Option<Instant>) -> Option<Sent> {
    let mut is_noted = false;
    loop {
        if options.is_interrupted() && !is_noted {
            is_noted = true;
            let soon = Instant::now().checked_add(options.slack);
            *until = until.iter().copied().chain(soon).min();
        }
        let left = until.map(|until| until.saturating_duration_since(Instant::now()));
        let wait = if options.interrupt.is_some() {
            left.map_or(LOOK, |left| left.min(LOOK))
        } else {
            left.unwrap_or(FOREVER)
        };
        match received.recv_timeout(wait) {
            Ok(sent) => return Some(sent),
            Err(RecvTimeoutError::Disconnected) => return None,
            Err(RecvTimeoutError::Timeout) if is_past(*until) => return None,
            Err(RecvTimeoutError::Timeout) => {}
        }
    }
}

/// A wait without a limit; it is begun again when it is over.
const FOREVER: Duration = Duration::from_secs(3600);

/// Messages of drivers about kernels that they failed to accept; one kernel for each message is
/// shrunk.
type Told = Mutex<HashSet<(SuiteTarget, String)>>;

/// The maximum number of launches to shrink a kernel that a driver fails to accept. A driver may
/// lose its device over each.
const REFUSALS: usize = 600;

/// Runs one seed.
fn one(seed: u64, shared: &RunShared) -> FuzzReport {
    let options = &shared.options;
    let mut report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    let case = generate(seed, options.size.budget(seed));
    let targets = options.targets_of(seed);
    report.kernels = 1;
    report.instructions = super::measure::count(&case.kernel) as u64;
    let running = format!("running-{seed}.kir");
    options.save(&mut report, &running, || case.to_file(&format!("Seed {seed}, which runs")));
    let variants = options.variants_of(seed);
    let judged = judge_by(&case, &targets, variants, &options.launcher, &mut report);
    if judged.is_err() || !report.refused.is_empty() {
        shared.note_failure();
    }
    if let Err((fault, detail)) = judged {
        let until = shared.shrinking_ends();
        let file = file(case.clone(), seed, fault, &detail, &targets, options, until);
        options.save(&mut report, &format!("{}-{seed}.kir", fault.name().replace(' ', "-")), || file.clone());
        report.failures.push(FuzzFailure { seed, fault, detail, file });
    }
    for mut refused in std::mem::take(&mut report.refused) {
        let title = format!("Seed {seed}, which {} fails to take: {}", refused.target, refused.detail);
        let title = title.replace('\n', " ");
        let name = format!("refused-{}-{seed}.kir", refused.target);
        let mut small = case.clone();
        options.save(&mut report, &name, || small.to_file(&title));
        let said = (refused.target, refused.detail.clone());
        if shared.told.lock().unwrap_or_else(PoisonError::into_inner).insert(said) {
            // Drivers are slow at this, and may end the process: intermediate results are saved.
            small = smaller(small, refused.target, options, shared.shrinking_ends(), &mut |case| {
                options.save(&mut report, &name, || case.to_file(&title));
            });
        }
        (refused.seed, refused.file) = (seed, small.to_file(&title));
        report.refused.push(refused);
    }
    if let Some(folder) = &options.save {
        // If it is missing, the error from writing it was reported above.
        drop(fs::remove_file(folder.join(running)));
    }
    if let Some(coverage) = &mut report.coverage {
        coverage.add(&case);
    }
    report
}

/// A smaller case that the driver of a target also fails to accept. Calls `found` with each that is
/// smaller than those before.
fn smaller(
    case: FuzzCase,
    target: SuiteTarget,
    options: &FuzzOptions,
    until: Option<Instant>,
    found: &mut dyn FnMut(&FuzzCase),
) -> FuzzCase {
    let targets: Vec<SuiteTarget> = options.targets.first().copied().into_iter().chain([target]).collect();
    shrink_until(case, options.tries.min(REFUSALS), until, &mut |case: &FuzzCase| {
        let mut report = FuzzReport::default();
        let refused = !options.is_interrupted()
            && judge_by(case, &targets, VariantChoice::All, &options.launcher, &mut report).is_ok()
            && !report.refused.is_empty();
        if refused {
            found(case);
        }
        refused
    })
}

/// Targets whose results expose a kernel that depends on the order of its threads: both run several
/// in lockstep.
const WITNESSES: [SuiteTarget; 2] = [SuiteTarget::Lanes8, SuiteTarget::Lanes16];

/// The shrunk case as a file test.
fn file(
    case: FuzzCase,
    seed: u64,
    fault: FuzzFault,
    detail: &str,
    targets: &[SuiteTarget],
    options: &FuzzOptions,
    until: Option<Instant>,
) -> String {
    let title = format!("Found by seed {seed}: {}, {}", fault.name(), detail.lines().next().unwrap_or_default());
    // A rejected kernel stays as it is: the shrinker tests accepted kernels only.
    if fault == FuzzFault::Rejected || options.tries == 0 || is_past(until) {
        return case.to_file(&title);
    }
    let judge = |case: &FuzzCase, targets: &[SuiteTarget]| {
        judge_by(case, targets, options.variants_of(seed), &options.launcher, &mut FuzzReport::default())
    };
    let fails = |case: &FuzzCase, targets: &[SuiteTarget]| {
        !options.is_interrupted() && judge(case, targets).is_err_and(|(other, _)| other == fault)
    };
    // Most launches are saved by running only the first target and one that differs from it.
    let (first, others) = targets.split_at(targets.len().min(1));
    let pairs = others.iter().map(|&other| [first, &[other]].concat());
    let mut candidates = [first.to_vec()].into_iter().chain(pairs);
    let found = candidates.find(|targets| !is_past(until) && fails(&case, targets));
    let targets = found.unwrap_or_else(|| targets.to_vec());
    // A smaller kernel may depend on the order of its threads, which is no failure: the targets
    // that run threads side by side have to agree with the first. One that is itself wrong about the
    // kernel is no witness; the first still has to agree with itself in other orders.
    let witnesses: Vec<SuiteTarget> = match (fault, targets.first()) {
        (FuzzFault::Mismatch, Some(&first)) => {
            let is_right = |&witness: &SuiteTarget| judge(&case, &[first, witness]).is_ok();
            let others = WITNESSES.into_iter().filter(|witness| !targets.contains(witness)).filter(is_right);
            [first].into_iter().chain(others).collect()
        }
        _ => Vec::new(),
    };
    let agree = |case: &FuzzCase| witnesses.is_empty() || judge(case, &witnesses).is_ok();
    let small = shrink_until(case, options.tries, until, &mut |case: &FuzzCase| fails(case, &targets) && agree(case));
    small.to_file(&title)
}

#[cfg(test)]
mod tests {
    use tilewise_ir::kernel::InstKind;
    use tilewise_ir::launch::{Argument, Domain, LaunchMemory, Outcome, Refusal, ViewArgument};
    use tilewise_ir::text;

    use super::{FuzzCase, FuzzFault, FuzzOptions, KernelLauncher, file};
    use crate::target::{LaunchVariant, SuiteTarget, TargetLaunch};

    /// A compiler that runs threads in lockstep, as it may, and miscompiles kernels with two atomic
    /// operations and a barrier.
    fn wrong_about_barriers(
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        if target != SuiteTarget::Jit {
            return target.launch(launch, memory);
        }
        let outcome =
            SuiteTarget::Lanes16.launch(&TargetLaunch { way: LaunchVariant::Linear, ..launch.clone() }, memory)?;
        let (mut atomics, mut barriers) = (0, 0);
        launch.kernel.entry().body().walk(&mut |inst| {
            atomics += i32::from(matches!(inst.kind, InstKind::Atomic { .. }));
            barriers += i32::from(inst.kind.barrier().is_some());
        });
        if (atomics, barriers) == (2, 1) {
            memory.allocations.iter_mut().flatten().for_each(|byte| *byte ^= 1);
        }
        Ok(outcome)
    }

    #[test]
    fn what_is_shrunk_does_not_come_to_depend_on_an_order() {
        // Without its barrier the kernel is smaller, and counts down by one or by two, as threads
        // may.
        let kernel = "kernel k(a: view<u32, 1, read_write>) tile(2) {
            atomic_min(a[0], 0u32);
            barrier;
            atomic_dec(a[0]);
        }";
        let case = FuzzCase {
            kernel: text::parse("k.kir", kernel).unwrap(),
            domain: Domain::new([2]),
            memory: LaunchMemory::new(vec![vec![0; 4]]),
            arguments: vec![Argument::View(ViewArgument::dense(0, &[1]))],
            aliases: Vec::new(),
        };
        let options = FuzzOptions { launcher: KernelLauncher::new(wrong_about_barriers), ..FuzzOptions::default() };
        let small = file(case, 1, FuzzFault::Mismatch, "", &[SuiteTarget::Reference, SuiteTarget::Jit], &options, None);
        assert!(small.contains("    barrier;"), "{small}");
    }
}
