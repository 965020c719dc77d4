//! Judges one kernel: the checker must accept it, it must parse back as equal, and all targets in
//! all variants must have the results of the first.

use std::collections::HashMap;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use tilewise_interp::Checks;
use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Arrival, DivergentSide, Ending, LaunchMemory, Outcome, Printed, Refusal};
use tilewise_ir::text;

use super::LIMIT;
use super::case::FuzzCase;
use super::report::{FuzzFault, FuzzReport, RefusedKernel};
use crate::kir::case::{RELAXED, floats_escape, has_floats};
use crate::memory_difference::difference_beside_floats;
use crate::stage::{Share, compiled_report};
use crate::target::{LaunchVariant, SuiteTarget, TargetLaunch};

/// The maximum number of lanes.
const LANES: u32 = 16;

type Verdict = Result<(), (FuzzFault, String)>;

/// Judges one kernel. It runs in the form that was parsed back, whose instructions have places in a
/// text.
pub fn judge(case: &FuzzCase, targets: &[SuiteTarget], report: &mut FuzzReport) -> Verdict {
    judge_by(case, targets, VariantChoice::All, &KernelLauncher::default(), report)
}

/// The variants in which each target launches a kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VariantChoice {
    /// All of them.
    All,
    /// One: the first of the first target, and of the others the one whose turn it is by this
    /// number.
    Turn(u64),
}

impl VariantChoice {
    /// The variants of the target at this place of the list.
    fn of(self, target: SuiteTarget, place: usize) -> &'static [LaunchVariant] {
        let all = target.ways();
        match self {
            VariantChoice::All => all,
            VariantChoice::Turn(_) if place == 0 => all.get(..1).unwrap_or(all),
            // The place shifts the turn: no two targets are always in the same variant.
            VariantChoice::Turn(number) => {
                let turn = (number.wrapping_add(place as u64) % all.len() as u64) as usize;
                all.get(turn..=turn).unwrap_or(all)
            }
        }
    }
}

/// A function that launches a kernel: [`SuiteTarget::launch`] or a replacement.
#[derive(Clone)]
pub struct KernelLauncher(Arc<LaunchFunction>);

type LaunchFunction =
    dyn Fn(SuiteTarget, &TargetLaunch<'_>, &mut LaunchMemory) -> Result<Outcome, Refusal> + Send + Sync;

impl KernelLauncher {
    /// This function.
    pub fn new(
        launch: impl Fn(SuiteTarget, &TargetLaunch<'_>, &mut LaunchMemory) -> Result<Outcome, Refusal>
        + Send
        + Sync
        + 'static,
    ) -> KernelLauncher {
        KernelLauncher(Arc::new(launch))
    }
}

impl Default for KernelLauncher {
    fn default() -> KernelLauncher {
        KernelLauncher::new(SuiteTarget::launch)
    }
}

impl fmt::Debug for KernelLauncher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KernelLauncher")
    }
}

/// Like `judge`, with another launcher.
pub(super) fn judge_by(
    case: &FuzzCase,
    targets: &[SuiteTarget],
    variants: VariantChoice,
    launcher: &KernelLauncher,
    report: &mut FuzzReport,
) -> Verdict {
    let rejected = |kernel: Kernel| check(kernel).map_err(|why| (FuzzFault::Rejected, why.render(Colour::Never)));
    rejected(case.kernel.clone())?;
    let checked = rejected(round_trip(&case.kernel)?)?;
    let mut first: Option<(SuiteTarget, LaunchVariant, LaunchLeft)> = None;
    for (place, &target) in targets.iter().enumerate() {
        for &way in variants.of(target, place) {
            let ended = match launch(case, &checked, target, way, launcher)? {
                LaunchVerdict::Ended(ended) => ended,
                LaunchVerdict::NotRun(reason) => {
                    *report.not_run.entry((target, reason)).or_default() += 1;
                    break;
                }
                LaunchVerdict::Refused(detail) => {
                    // The run fills in the seed and the file.
                    report.refused.push(RefusedKernel { seed: 0, target, detail, file: String::new() });
                    break;
                }
            };
            report.launches += 1;
            if target.checks() && way == LaunchVariant::Linear {
                look(case, &checked, target)?;
                report.launches += 1;
            }
            match &first {
                None => {
                    report.executed += ended.outcome.instructions;
                    report.endings.add(&ended.outcome.ending);
                    report.first_on.insert(target);
                    first = Some((target, way, ended));
                    continue;
                }
                Some((first_target, first_way, other)) => {
                    report.ran_on.insert(*first_target);
                    if let Some(what) = difference(case, other, &ended, target, way) {
                        if target.is_relaxed() && is_relaxed_difference(case, &checked, other, &ended, (target, way)) {
                            *report.not_run.entry((target, RELAXED.to_owned())).or_default() += 1;
                            break;
                        }
                        return Err((
                            FuzzFault::Mismatch,
                            format!("{first_target} {first_way} and {target} {way}: {what}"),
                        ));
                    }
                }
            }
            // Only now: a target whose every result was left out shows nothing.
            report.ran_on.insert(target);
        }
    }
    if report.coverage.is_some() && targets.iter().any(|target| target.is_jit()) {
        count_lanes(case, &checked, report);
    }
    Ok(())
}

/// May a Relaxed target have the other result: other floats, or what the kernel makes of them?
fn is_relaxed_difference(
    case: &FuzzCase,
    checked: &Checked<Kernel>,
    first: &LaunchLeft,
    second: &LaunchLeft,
    (target, way): (SuiteTarget, LaunchVariant),
) -> bool {
    let beside_floats = || {
        let (left, right) = (&first.memory, &second.memory);
        difference_beside_floats(checked, &case.arguments, left, right).map(|difference| difference.to_string())
    };
    has_floats(checked)
        && (floats_escape(checked, &case.arguments)
            || difference_by(first, second, target, way, &beside_floats).is_none())
}

/// The difference between the result of a launch in a variant and the first one's.
pub(crate) fn difference(
    case: &FuzzCase,
    first: &LaunchLeft,
    second: &LaunchLeft,
    target: SuiteTarget,
    way: LaunchVariant,
) -> Option<String> {
    let of_memory = || case.compare(&first.memory, &second.memory).map(|difference| difference.to_string());
    difference_by(first, second, target, way, &of_memory)
}

/// The same, with this difference of memory where the launches did not diverge.
fn difference_by(
    first: &LaunchLeft,
    second: &LaunchLeft,
    target: SuiteTarget,
    way: LaunchVariant,
    of_memory: &dyn Fn() -> Option<String>,
) -> Option<String> {
    let (a, b) = (&first.outcome, &second.outcome);
    let diverged = matches!(a.ending, Ending::BarrierDivergence(_));
    // A shuffled order of tiles may report another tile.
    if diverged && matches!(way, LaunchVariant::Shuffled(_)) && matches!(b.ending, Ending::BarrierDivergence(_)) {
        return None;
    }
    if a.ending != b.ending {
        return Some(format!("they end in different ways\n{}\n{}", ending(&a.ending), ending(&b.ending)));
    }
    // After a divergence other tiles may or may not have run; on a GPU all tiles run.
    let same_lines = match diverged && target.is_gpu() {
        true => holds_lines(b, &a.printed),
        false => (&a.printed, a.lost) == (&b.printed, b.lost),
    };
    if !same_lines {
        return Some("they print different lines".to_owned());
    }
    if diverged { None } else { of_memory() }
}

/// Does an output have these lines, each thread's in its order? So many may be missing as bytes were lost: a line has
/// one at the least.
fn holds_lines(outcome: &Outcome, lines: &[Printed]) -> bool {
    if outcome.lost > 0 {
        let mut counts: HashMap<(u64, &str), u64> = HashMap::new();
        outcome.printed.iter().for_each(|line| *counts.entry((line.thread, line.text.as_str())).or_default() += 1);
        let missing = lines.iter().filter(|line| {
            let left = counts.get_mut(&(line.thread, line.text.as_str())).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_none()
        });
        return missing.count() as u64 <= outcome.lost;
    }
    // Output is sorted by thread and program order, so what stands behind a line comes behind it.
    let mut rest = outcome.printed.iter();
    lines.iter().all(|line| rest.any(|other| other == line))
}

/// An ending as a sentence.
fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "all threads come to their end".to_owned(),
        Ending::Failed { thread, message, pos, others } => {
            let message = message.as_deref().unwrap_or("abort");
            format!("thread {thread} ends in line {}, and {others} others: {message}", pos.line)
        }
        Ending::BarrierDivergence(divergence) => {
            let side = |side: &DivergentSide| match &side.did {
                Arrival::Barrier { rounds } => {
                    format!("threads {:?} in line {}, rounds {rounds:?}", side.threads, side.pos.line)
                }
                Arrival::Returned => format!("threads {:?} returned in line {}", side.threads, side.pos.line),
            };
            let sides: Vec<String> = divergence.sides.iter().map(side).collect();
            format!("tile {:?}: {}", divergence.tile, sides.join("; "))
        }
        Ending::OutOfFuel { .. } | Ending::Interrupted | Ending::Stopped | Ending::OutOfMemory { .. } => {
            "it is stopped".to_owned()
        }
    }
}

/// The launch of a case.
fn of<'a>(case: &'a FuzzCase, checked: &'a Checked<Kernel>) -> TargetLaunch<'a> {
    TargetLaunch::new(checked, &case.domain, &case.arguments, LIMIT)
}

/// Counts the share of the kernel that is vector code.
fn count_lanes(case: &FuzzCase, checked: &Checked<Kernel>, report: &mut FuzzReport) {
    match compiled_report(checked, Some(&case.arguments), LANES) {
        Ok(compiled) => report.share = report.share.and(compiled.share()),
        Err(why) => {
            report.share = report.share.and(Share { lanes: 0, parts: 1 });
            *report.scalar.entry(why).or_default() += 1;
        }
    }
}

/// Runs the race check: generated kernels have no races, so a report of one is wrong. They do read
/// `tile_static` and local memory that is zero and was not written.
fn look(case: &FuzzCase, checked: &Checked<Kernel>, target: SuiteTarget) -> Verdict {
    let checks = Checks { races: true, ..Checks::default() };
    let mut memory = case.memory.clone();
    let outcome = target.launch(&TargetLaunch { checks, ..of(case, checked) }, &mut memory);
    match outcome.as_ref().map(|outcome| outcome.reports.first()) {
        Ok(Some(report)) => Err((FuzzFault::Report, format!("{target} with checks: {}", report.message()))),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// The kernel, printed and parsed back.
fn round_trip(kernel: &Kernel) -> Result<Kernel, (FuzzFault, String)> {
    let text = text::print(kernel);
    match text::parse("fuzzed.kir", &text) {
        Ok(again) if again == *kernel => Ok(again),
        Ok(_) => Err((FuzzFault::RoundTrip, "read back it is another kernel".to_owned())),
        Err(failure) => Err((FuzzFault::RoundTrip, failure.render(Colour::Never))),
    }
}

/// The memory and outcome that a launch leaves.
pub(crate) struct LaunchLeft {
    pub(crate) memory: LaunchMemory,
    pub(crate) outcome: Outcome,
}

/// The result of a launch.
enum LaunchVerdict {
    Ended(LaunchLeft),
    /// The target lacks a feature that the kernel needs.
    NotRun(String),
    /// Its driver fails to accept it.
    Refused(String),
}

fn launch(
    case: &FuzzCase,
    checked: &Checked<Kernel>,
    target: SuiteTarget,
    way: LaunchVariant,
    launcher: &KernelLauncher,
) -> Result<LaunchVerdict, (FuzzFault, String)> {
    let mut memory = case.memory.clone();
    let launched = || (launcher.0)(target, &TargetLaunch { way, ..of(case, checked) }, &mut memory);
    let outcome = catch_unwind(AssertUnwindSafe(launched)).map_err(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("without a message");
        (FuzzFault::Panic, format!("{target} {way}: {text}"))
    })?;
    let outcome = match (outcome, target) {
        (Ok(outcome), _) => outcome,
        (Err(Refusal::Unsupported(reason)), target) if target != SuiteTarget::Reference => {
            return Ok(LaunchVerdict::NotRun(reason));
        }
        (Err(Refusal::Driver(detail)), _) => return Ok(LaunchVerdict::Refused(detail)),
        (Err(refusal), _) => return Err((FuzzFault::Refused, format!("{target} {way}: {refusal}"))),
    };
    let wrong = match &outcome.ending {
        Ending::Completed | Ending::Failed { .. } | Ending::BarrierDivergence(_) => None,
        Ending::OutOfFuel { .. } => Some("it does not end"),
        Ending::Interrupted | Ending::Stopped => Some("it was stopped"),
        Ending::OutOfMemory { .. } => Some("it has no memory left"),
    };
    match wrong {
        Some(wrong) => Err((FuzzFault::Ending, format!("{target} {way}: {wrong}"))),
        None => Ok(LaunchVerdict::Ended(LaunchLeft { memory, outcome })),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use tilewise_ir::launch::{Argument, Domain, Printed, ViewArgument};

    use super::*;

    /// A GPU that runs all tiles, also after one whose threads do not meet.
    fn all_tiles_run(
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        let mut outcome =
            SuiteTarget::Reference.launch(&TargetLaunch { way: LaunchVariant::Linear, ..launch.clone() }, memory)?;
        if target.is_gpu() {
            outcome.printed.extend([2, 3].map(|thread| Printed { thread, text: "here".into() }));
        }
        Ok(outcome)
    }

    /// A GPU that gives what the reference gives, and then this change of it.
    fn gpu_with(change: fn(&mut Outcome, &mut LaunchMemory)) -> KernelLauncher {
        KernelLauncher::new(move |target, launch, memory| {
            let mut outcome = SuiteTarget::Reference.launch(launch, memory)?;
            if target.is_gpu() {
                change(&mut outcome, memory);
            }
            Ok(outcome)
        })
    }

    #[test]
    fn of_a_relaxed_target_only_floats_may_differ_unless_something_depends_on_them() {
        let judged = |body: &str, launcher: KernelLauncher| {
            let text = format!(
                "kernel k(a: view<f32, 1, read_write>, b: view<u32, 1, read_write>) rank(1) {{
                    a[global[0]] = a[global[0]] * 3.0; {body}
                }}"
            );
            let case = FuzzCase {
                kernel: text::parse("k.kir", &text).unwrap(),
                domain: Domain::new([4]),
                memory: LaunchMemory::new(vec![vec![0; 16], vec![0; 16]]),
                arguments: [0, 1].map(|number| Argument::View(ViewArgument::dense(number, &[4]))).to_vec(),
                aliases: Vec::new(),
            };
            let targets = [SuiteTarget::Reference, SuiteTarget::GpuWgsl];
            let mut report = FuzzReport::default();
            let verdict = judge_by(&case, &targets, VariantChoice::All, &launcher, &mut report);
            assert_eq!(verdict.is_ok(), !report.idle_targets().is_empty());
            verdict.map_err(|(fault, _)| fault)
        };
        let stays = "b[global[0]] = 5u32;";
        let escapes = "b[global[0]] = a[global[0]] as u32;";
        let other_floats = || gpu_with(|_, memory| memory.allocations[0][0] += 1);
        let other_words = || gpu_with(|_, memory| memory.allocations.iter_mut().for_each(|bytes| bytes[0] += 1));
        let more_lines = || gpu_with(|outcome, _| outcome.printed.push(Printed { thread: 0, text: "more".to_owned() }));
        for (body, launcher, verdict) in [
            (stays, other_floats(), Ok(())),
            (stays, other_words(), Err(FuzzFault::Mismatch)),
            (stays, more_lines(), Err(FuzzFault::Mismatch)),
            (escapes, other_words(), Ok(())),
            (escapes, more_lines(), Ok(())),
        ] {
            assert_eq!(judged(body, launcher), verdict, "{body}");
        }
    }

    #[test]
    fn lines_count_in_number_and_order() {
        let line = |thread, text: &str| Printed { thread, text: text.to_owned() };
        let output = |lost, printed: &[Printed]| Outcome {
            ending: Ending::Completed,
            printed: printed.to_vec(),
            lost,
            reports: Vec::new(),
            more_reports: 0,
            instructions: 0,
        };
        let lines = [line(0, "x"), line(0, "x"), line(1, "y")];
        assert!(holds_lines(&output(0, &[line(0, "w"), line(0, "x"), line(0, "x"), line(1, "y")]), &lines));
        assert!(!holds_lines(&output(0, &[line(0, "x"), line(1, "y")]), &lines));
        assert!(!holds_lines(&output(0, &[line(0, "b"), line(0, "a")]), &[line(0, "a"), line(0, "b")]));
        assert!(holds_lines(&output(1, &[line(0, "x"), line(1, "y")]), &lines));
        assert!(!holds_lines(&output(1, &[line(1, "y")]), &lines));
    }

    /// A target that loses the first line of output.
    fn first_line_is_lost(
        target: SuiteTarget,
        launch: &TargetLaunch<'_>,
        memory: &mut LaunchMemory,
    ) -> Result<Outcome, Refusal> {
        let mut outcome = all_tiles_run(target, launch, memory)?;
        if target.is_gpu() {
            outcome.printed.remove(0);
        }
        Ok(outcome)
    }

    #[test]
    fn in_turn_each_target_comes_to_each_of_its_variants_beside_the_others() {
        let targets = [SuiteTarget::Reference, SuiteTarget::JitClif, SuiteTarget::JitAvx2, SuiteTarget::JitAvx512];
        let mut seen = HashSet::new();
        for number in 0..8 {
            let ways = targets.iter().enumerate().map(|(place, &target)| VariantChoice::Turn(number).of(target, place));
            let ways: Vec<&[LaunchVariant]> = ways.collect();
            assert!(ways.iter().all(|ways| ways.len() == 1));
            assert_eq!(ways[0], [LaunchVariant::Linear]);
            assert_ne!(ways[2], ways[3]);
            seen.extend(ways.iter().zip(targets).map(|(ways, target)| (target, ways[0].to_string())));
        }
        let all: usize = targets.iter().skip(1).map(|target| target.ways().len()).sum();
        assert_eq!(seen.len(), 1 + all);
    }

    #[test]
    fn tiles_behind_one_that_diverges_may_have_run_on_a_gpu() {
        let kernel = "kernel k(a: view<i32, 1, read>) tile(2) {
            print(\"here\");
            if a[global[0]] == 1 { barrier; }
        }";
        let case = FuzzCase {
            kernel: text::parse("k.kir", kernel).unwrap(),
            domain: Domain::new([4]),
            memory: LaunchMemory::new(vec![[1i32, 0, 1, 0].iter().flat_map(|n| n.to_le_bytes()).collect()]),
            arguments: vec![Argument::View(ViewArgument::dense(0, &[4]))],
            aliases: Vec::new(),
        };
        let judge = |launcher: KernelLauncher| {
            let targets = [SuiteTarget::Reference, SuiteTarget::GpuStrict];
            judge_by(&case, &targets, VariantChoice::All, &launcher, &mut FuzzReport::default())
                .map_err(|(fault, _)| fault)
        };
        assert_eq!(judge(KernelLauncher::new(all_tiles_run)), Ok(()));
        assert_eq!(judge(KernelLauncher::new(first_line_is_lost)), Err(FuzzFault::Mismatch));
    }
}
