//! Many seeds: generate, check, print and read back, run on every target in every way, compare, shrink what differs, count what was executed.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_ir::interp::Checks;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Ending, Memory, Outcome, Refusal};
use tilewise_ir::text;

use super::LIMIT;
use super::case::Case;
use super::coverage::Coverage;
use super::make::{Budget, generate};
use super::shrink::shrink;
use crate::target::{Target, Way};

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
}

impl Default for Options {
    fn default() -> Options {
        Options { seed: 0, kernels: u64::MAX, time: None, targets: Target::CPU.to_vec(), coverage: true, tries: 4000 }
    }
}

/// What is wrong with a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fault {
    /// The checker does not accept what the generator made.
    Rejected,
    /// Printed and read back it is another kernel, or none.
    RoundTrip,
    /// A target refuses to launch it.
    Refused,
    /// It does not come to an end that kernels made here come to.
    Ending,
    /// A target panics.
    Panic,
    /// Two targets, or two ways of one target, give different results.
    Mismatch,
}

impl Fault {
    /// The name in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Fault::Rejected => "rejected",
            Fault::RoundTrip => "round trip",
            Fault::Refused => "refused",
            Fault::Ending => "ending",
            Fault::Panic => "panic",
            Fault::Mismatch => "mismatch",
        }
    }
}

/// A kernel with which something is wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The seed that generates it.
    pub seed: u64,
    /// What is wrong.
    pub fault: Fault,
    /// In words.
    pub detail: String,
    /// The shrunk case as a file test.
    pub file: String,
}

/// What came of many seeds.
#[derive(Clone, Debug, Default)]
pub struct FuzzReport {
    /// Kernels that were generated.
    pub kernels: u64,
    /// Their instructions.
    pub instructions: u64,
    /// Instructions that the first target executed in the first way, over all threads.
    pub executed: u64,
    /// Launches.
    pub launches: u64,
    /// Launches that a target did not take: which target, why, how many.
    pub not_run: BTreeMap<(Target, String), u64>,
    /// What went wrong.
    pub failures: Vec<Failure>,
    /// How long it took.
    pub time: Duration,
    /// What was executed, if it was to be counted.
    pub coverage: Option<Coverage>,
}

impl FuzzReport {
    /// How many failures of a kind there are.
    pub fn faults(&self, fault: Fault) -> usize {
        self.failures.iter().filter(|failure| failure.fault == fault).count()
    }
}

/// Runs many seeds. `progress` is told what has been done after each kernel; it ends the run by giving false.
pub fn run(options: &Options, progress: &mut dyn FnMut(&FuzzReport) -> bool) -> FuzzReport {
    let begin = Instant::now();
    let mut report = FuzzReport { coverage: options.coverage.then(Coverage::new), ..FuzzReport::default() };
    for n in 0..options.kernels {
        if options.time.is_some_and(|time| begin.elapsed() >= time) {
            break;
        }
        let seed = options.seed.wrapping_add(n);
        let case = generate(seed, Budget::of_seed(seed));
        report.kernels += 1;
        report.instructions += super::measure::count(&case.kernel) as u64;
        if let Err((fault, detail)) = judge(&case, &options.targets, &mut report) {
            let file = file(case.clone(), seed, fault, &detail, options);
            report.failures.push(Failure { seed, fault, detail, file });
        }
        if let Some(coverage) = &mut report.coverage {
            coverage.add(&case);
        }
        report.time = begin.elapsed();
        if !progress(&report) {
            break;
        }
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

type Verdict = Result<(), (Fault, String)>;

/// Everything that is asked of one kernel.
pub fn judge(case: &Case, targets: &[Target], report: &mut FuzzReport) -> Verdict {
    let checked = check(case.kernel.clone()).map_err(|rejected| (Fault::Rejected, rejected.render(Colour::Never)))?;
    round_trip(&case.kernel)?;
    let mut first: Option<(Target, Way, Ended)> = None;
    for &target in targets {
        for &way in target.ways() {
            let ended = match launch(case, &checked, target, way)? {
                Launched::Ended(ended) => ended,
                Launched::NotRun(reason) => {
                    *report.not_run.entry((target, reason)).or_default() += 1;
                    break;
                }
            };
            report.launches += 1;
            if target.checks() && way == Way::Linear {
                look(case, &checked, target)?;
                report.launches += 1;
            }
            match &first {
                None => {
                    report.executed += ended.outcome.instructions;
                    first = Some((target, way, ended));
                }
                Some((first_target, first_way, other)) => {
                    let detail = |what: String| {
                        (Fault::Mismatch, format!("{first_target} {first_way} and {target} {way}: {what}"))
                    };
                    if let Some(difference) = case.compare(&other.memory, &ended.memory) {
                        return Err(detail(difference.to_string()));
                    }
                    if other.outcome.ending != ended.outcome.ending {
                        return Err(detail("they end in different ways".to_owned()));
                    }
                    if (&other.outcome.printed, other.outcome.lost) != (&ended.outcome.printed, ended.outcome.lost) {
                        return Err(detail("they print different lines".to_owned()));
                    }
                }
            }
        }
    }
    Ok(())
}

/// The kernels made here have no races, so a report of one is wrong. They do read `tile_static` and local memory that is zero and was not written.
fn look(case: &Case, checked: &Checked<Kernel>, target: Target) -> Verdict {
    let checks = Checks { races: true, ..Checks::default() };
    let mut memory = case.memory.clone();
    let outcome = target.launch_with(checks, Way::Linear, checked, &case.domain, &mut memory, &case.arguments, LIMIT);
    match outcome.as_ref().map(|outcome| outcome.reports.first()) {
        Ok(Some(report)) => Err((Fault::Mismatch, format!("{target} with checks: {}", report.message()))),
        Ok(None) | Err(_) => Ok(()),
    }
}

fn round_trip(kernel: &Kernel) -> Verdict {
    let text = text::print(kernel);
    match text::parse("fuzzed.kir", &text) {
        Ok(again) if again == *kernel => Ok(()),
        Ok(_) => Err((Fault::RoundTrip, "read back it is another kernel".to_owned())),
        Err(failure) => Err((Fault::RoundTrip, failure.render(Colour::Never))),
    }
}

/// What a launch left.
struct Ended {
    memory: Memory,
    outcome: Outcome,
}

/// What came of a launch.
enum Launched {
    Ended(Ended),
    /// The target does not have what the kernel needs.
    NotRun(String),
}

fn launch(case: &Case, checked: &Checked<Kernel>, target: Target, way: Way) -> Result<Launched, (Fault, String)> {
    let mut memory = case.memory.clone();
    let launched = || target.launch(way, checked, &case.domain, &mut memory, &case.arguments, LIMIT);
    let outcome = catch_unwind(AssertUnwindSafe(launched)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        (Fault::Panic, format!("{target} {way}: {text}"))
    })?;
    let outcome = match (outcome, target) {
        (Ok(outcome), _) => outcome,
        (Err(Refusal::Unsupported(reason)), target) if target != Target::Reference => {
            return Ok(Launched::NotRun(reason));
        }
        (Err(refusal), _) => return Err((Fault::Refused, format!("{target} {way}: {refusal}"))),
    };
    let wrong = match &outcome.ending {
        Ending::Completed | Ending::Failed { .. } => None,
        Ending::BarrierDivergence(_) => Some("the threads of a tile did not meet at a barrier"),
        Ending::OutOfFuel { .. } => Some("it does not end"),
        Ending::Interrupted | Ending::Stopped => Some("it was stopped"),
    };
    match wrong {
        Some(wrong) => Err((Fault::Ending, format!("{target} {way}: {wrong}"))),
        None => Ok(Launched::Ended(Ended { memory, outcome })),
    }
}
