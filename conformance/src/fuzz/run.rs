//! Many seeds, on several threads: generate, judge, shrink what fails, count what was executed.

use std::collections::HashSet;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use super::case::Case;
use super::coverage::Coverage;
use super::judge::{Launcher, judge_by};
use super::make::{Size, generate};
use super::report::{Failure, Fault, FuzzReport};
use super::shrink::shrink;
use crate::target::Target;
use crate::whole_file;

/// What to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// The first seed; the others follow it.
    pub seed: u64,
    /// How many kernels at most.
    pub kernels: u64,
    /// After how long no further kernel is begun.
    pub time: Option<Duration>,
    /// How large kernels are.
    pub size: Size,
    /// Targets to compare; the first is what the others are held against.
    pub targets: Vec<Target>,
    /// Does each kernel run on the first target and only one of the others, which take turns?
    pub alternate: bool,
    /// Count what was executed? It costs another run of each kernel.
    pub coverage: bool,
    /// What launches kernels.
    pub launcher: Launcher,
    /// A folder that each kernel is written to while it runs, so that what ends the process is known, and with which something is wrong for good.
    pub save: Option<PathBuf>,
    /// Launches that shrinking one failure may cost; 0 leaves it as it was generated.
    pub tries: usize,
    /// How many kernels are run at the same time.
    pub jobs: usize,
}

impl Default for Options {
    fn default() -> Options {
        let jobs = thread::available_parallelism().map_or(1, usize::from);
        let targets = Target::CPU.to_vec();
        Options {
            seed: 0,
            kernels: u64::MAX,
            time: None,
            size: Size::Mixed,
            targets,
            alternate: false,
            coverage: true,
            launcher: Target::launch,
            save: None,
            tries: 4000,
            jobs,
        }
    }
}

impl Options {
    /// The targets that the kernel of a seed runs on.
    pub fn targets_of(&self, seed: u64) -> Vec<Target> {
        match self.targets.split_first() {
            Some((&first, others)) if self.alternate && others.len() > 1 => {
                // Sizes go by the number of the seed too: each size is to meet every target.
                let turn = (seed / SIZES).wrapping_add(seed) % others.len() as u64;
                vec![first, others[turn as usize]]
            }
            _ => self.targets.clone(),
        }
    }
}

impl Options {
    /// Writes a file to the folder, if there is one.
    fn save(&self, report: &mut FuzzReport, name: &str, text: impl FnOnce() -> String) {
        let Some(folder) = &self.save else { return };
        if let Err(error) = whole_file::replace(&folder.join(name), text().as_bytes()) {
            report.unsaved.get_or_insert_with(|| format!("`{}`: {error}", folder.join(name).display()));
        }
    }
}

/// After so many seeds their budgets begin again.
const SIZES: u64 = 32;

/// Runs many seeds. `progress` is told what has been done after each kernel; it ends the run by giving false.
pub fn run(options: &Options, progress: &mut (dyn FnMut(&FuzzReport) -> bool + Send)) -> FuzzReport {
    let begin = Instant::now();
    let next = AtomicU64::new(0);
    let over = AtomicBool::new(false);
    let report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    let shared = Mutex::new((report, progress));
    let told = Mutex::default();
    let work = || {
        while !over.load(Ordering::Relaxed) && options.time.is_none_or(|time| begin.elapsed() < time) {
            let n = next.fetch_add(1, Ordering::Relaxed);
            if n >= options.kernels {
                break;
            }
            let one = one(options.seed.wrapping_add(n), options, &told);
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

/// What drivers have said of kernels that they failed to take, of which one each is shrunk.
type Told = Mutex<HashSet<(Target, String)>>;

/// Launches that shrinking a kernel which a driver fails to take may cost. A driver may lose its device over each.
const REFUSALS: usize = 600;

/// One seed.
fn one(seed: u64, options: &Options, told: &Told) -> FuzzReport {
    let mut report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    let case = generate(seed, options.size.budget(seed));
    let targets = options.targets_of(seed);
    report.kernels = 1;
    report.instructions = super::measure::count(&case.kernel) as u64;
    let running = format!("running-{seed}.kir");
    options.save(&mut report, &running, || case.to_file(&format!("Seed {seed}, which runs")));
    let judged = judge_by(&case, &targets, options.launcher, &mut report);
    if let Err((fault, detail)) = judged {
        let file = file(case.clone(), seed, fault, &detail, &targets, options);
        options.save(&mut report, &format!("{}-{seed}.kir", fault.name().replace(' ', "-")), || file.clone());
        report.failures.push(Failure { seed, fault, detail, file });
    }
    for mut refused in std::mem::take(&mut report.refused) {
        let title = format!("Seed {seed}, which {} fails to take: {}", refused.target, refused.detail);
        let title = title.replace('\n', " ");
        let name = format!("refused-{}-{seed}.kir", refused.target);
        let mut small = case.clone();
        options.save(&mut report, &name, || small.to_file(&title));
        let said = (refused.target, refused.detail.clone());
        if told.lock().unwrap_or_else(PoisonError::into_inner).insert(said) {
            // Drivers take their time over this, and some the process in the end: what has been reached is kept.
            small = smaller(small, refused.target, options, &mut |case| {
                options.save(&mut report, &name, || case.to_file(&title));
            });
        }
        (refused.seed, refused.file) = (seed, small.to_file(&title));
        report.refused.push(refused);
    }
    if let Some(folder) = &options.save {
        // If it is not there, it was said above that it could not be written.
        drop(fs::remove_file(folder.join(running)));
    }
    if let Some(coverage) = &mut report.coverage {
        coverage.add(&case);
    }
    report
}

/// A smaller case that the driver of a target fails to take too. `found` is shown each that is smaller than those before.
fn smaller(case: Case, target: Target, options: &Options, found: &mut dyn FnMut(&Case)) -> Case {
    let targets: Vec<Target> = options.targets.first().copied().into_iter().chain([target]).collect();
    shrink(case, options.tries.min(REFUSALS), &mut |case: &Case| {
        let mut report = FuzzReport::default();
        let refused = judge_by(case, &targets, options.launcher, &mut report).is_ok() && !report.refused.is_empty();
        if refused {
            found(case);
        }
        refused
    })
}

/// Who would notice that a kernel depends on the order of its threads: both run several in step.
const WITNESSES: [Target; 2] = [Target::Lanes8, Target::Lanes16];

/// The shrunk case as a file test.
fn file(case: Case, seed: u64, fault: Fault, detail: &str, targets: &[Target], options: &Options) -> String {
    let title = format!("Found by seed {seed}: {}, {}", fault.name(), detail.lines().next().unwrap_or_default());
    // What is rejected stays as it is: the shrinker asks about accepted kernels only.
    if fault == Fault::Rejected || options.tries == 0 {
        return case.to_file(&title);
    }
    let judge = |case: &Case, targets: &[Target]| judge_by(case, targets, options.launcher, &mut FuzzReport::default());
    let fails = |case: &Case, targets: &[Target]| judge(case, targets).is_err_and(|(other, _)| other == fault);
    // Most launches are saved by asking only the first target and one that differs from it.
    let (first, others) = targets.split_at(targets.len().min(1));
    let pairs = others.iter().map(|&other| [first, &[other]].concat());
    let found = [first.to_vec()].into_iter().chain(pairs).find(|targets| fails(&case, targets));
    let targets = found.unwrap_or_else(|| targets.to_vec());
    // A smaller kernel may depend on the order of its threads, which is no fault: others that run them side by side have to agree with the first.
    let witnesses: Vec<Target> = match (fault, targets.first()) {
        (Fault::Mismatch, Some(&first)) => {
            let others = WITNESSES.into_iter().filter(|witness| !targets.contains(witness));
            [first].into_iter().chain(others).collect()
        }
        _ => Vec::new(),
    };
    let agree = |case: &Case| witnesses.is_empty() || judge(case, &witnesses).is_ok();
    let small = shrink(case, options.tries, &mut |case: &Case| fails(case, &targets) && agree(case));
    small.to_file(&title)
}

#[cfg(test)]
mod tests {
    use tilewise_ir::kernel::InstKind;
    use tilewise_ir::launch::{Argument, Domain, Memory, Outcome, Refusal, ViewArgument};
    use tilewise_ir::text;

    use super::{Case, Fault, Options, file};
    use crate::target::{Launch, Target, Way};

    /// A compiler whose threads go in step, as they may, and that is wrong about kernels with two atomic operations and a barrier.
    fn wrong_about_barriers(target: Target, launch: &Launch<'_>, memory: &mut Memory) -> Result<Outcome, Refusal> {
        if target != Target::Jit {
            return target.launch(launch, memory);
        }
        let outcome = Target::Lanes16.launch(&Launch { way: Way::Linear, ..launch.clone() }, memory)?;
        let (mut atomics, mut barriers) = (0, 0);
        launch.kernel.entry().body().walk(&mut |inst| {
            atomics += i32::from(matches!(inst.kind, InstKind::Atomic { .. }));
            barriers += i32::from(matches!(inst.kind, InstKind::Barrier(_)));
        });
        if (atomics, barriers) == (2, 1) {
            memory.pieces.iter_mut().flatten().for_each(|byte| *byte ^= 1);
        }
        Ok(outcome)
    }

    #[test]
    fn what_is_shrunk_does_not_come_to_depend_on_an_order() {
        // Without its barrier it is smaller, and counts down by one or by two, as threads may.
        let kernel = "kernel k(a: view<u32, 1, read_write>) tile(2) {
            atomic_min(a[0], 0u32);
            barrier;
            atomic_dec(a[0]);
        }";
        let case = Case {
            kernel: text::parse("k.kir", kernel).unwrap(),
            domain: Domain::new([2]),
            memory: Memory::new(vec![vec![0; 4]]),
            arguments: vec![Argument::View(ViewArgument::dense(0, &[1]))],
            aliases: Vec::new(),
        };
        let options = Options { launcher: wrong_about_barriers, ..Options::default() };
        let small = file(case, 1, Fault::Mismatch, "", &[Target::Reference, Target::Jit], &options);
        assert!(small.contains("    barrier;"), "{small}");
    }
}
