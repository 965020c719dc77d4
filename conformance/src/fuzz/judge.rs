//! What is asked of one kernel: it is accepted, reads back equal, and all targets in all ways come to the same as the first.

use std::panic::{AssertUnwindSafe, catch_unwind};

use tilewise_ir::check::{Checked, check};
use tilewise_ir::diag::Colour;
use tilewise_ir::interp::Checks;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{Arrival, Ending, Memory, Outcome, Refusal, Side};
use tilewise_ir::text;

use super::LIMIT;
use super::case::Case;
use super::report::{Fault, FuzzReport, Refused};
use crate::kir::case::{RELAXED, has_floats};
use crate::stage::{Share, compiled_report};
use crate::target::{Launch, Target, Way};

/// The most lanes there are.
const LANES: u32 = 16;

type Verdict = Result<(), (Fault, String)>;

/// Everything that is asked of one kernel. What runs is the kernel as it was read back, whose instructions have places in a text.
pub fn judge(case: &Case, targets: &[Target], report: &mut FuzzReport) -> Verdict {
    judge_by(case, targets, Target::launch, report)
}

/// What launches a kernel: [`Target::launch`], or what stands in for it.
pub type Launcher = fn(Target, &Launch<'_>, &mut Memory) -> Result<Outcome, Refusal>;

/// The same, launched by something else.
pub(super) fn judge_by(case: &Case, targets: &[Target], launcher: Launcher, report: &mut FuzzReport) -> Verdict {
    let rejected = |kernel: Kernel| check(kernel).map_err(|why| (Fault::Rejected, why.render(Colour::Never)));
    rejected(case.kernel.clone())?;
    let checked = rejected(round_trip(&case.kernel)?)?;
    let mut first: Option<(Target, Way, Ended)> = None;
    for &target in targets {
        for &way in target.ways() {
            let ended = match launch(case, &checked, target, way, launcher)? {
                Launched::Ended(ended) => ended,
                Launched::NotRun(reason) => {
                    *report.not_run.entry((target, reason)).or_default() += 1;
                    break;
                }
                Launched::Refused(detail) => {
                    // Who it is of, and the file, is for the run to say.
                    report.refused.push(Refused { seed: 0, target, detail, file: String::new() });
                    break;
                }
            };
            report.launches += 1;
            report.ran_on.insert(target);
            if target.checks() && way == Way::Linear {
                look(case, &checked, target)?;
                report.launches += 1;
            }
            match &first {
                None => {
                    report.executed += ended.outcome.instructions;
                    report.endings.add(&ended.outcome.ending);
                    first = Some((target, way, ended));
                }
                Some((first_target, first_way, other)) => {
                    if let Some(what) = difference(case, other, &ended, target, way) {
                        if target.is_relaxed() && has_floats(&checked) {
                            *report.not_run.entry((target, RELAXED.to_owned())).or_default() += 1;
                            break;
                        }
                        return Err((
                            Fault::Mismatch,
                            format!("{first_target} {first_way} and {target} {way}: {what}"),
                        ));
                    }
                }
            }
        }
    }
    if targets.contains(&Target::Jit) {
        count_lanes(case, &checked, report);
    }
    Ok(())
}

/// In what the result of a launch, made in a way, differs from the first one's.
fn difference(case: &Case, first: &Ended, second: &Ended, target: Target, way: Way) -> Option<String> {
    let (a, b) = (&first.outcome, &second.outcome);
    let diverged = matches!(a.ending, Ending::BarrierDivergence(_));
    // Whose tiles do not run in order may tell of another.
    if diverged && matches!(way, Way::Shuffled(_)) && matches!(b.ending, Ending::BarrierDivergence(_)) {
        return None;
    }
    if a.ending != b.ending {
        return Some(format!("they end in different ways\n{}\n{}", ending(&a.ending), ending(&b.ending)));
    }
    // Where threads missed each other other tiles may or may not have run; of a GPU they all have.
    let same_lines = match diverged && target.is_gpu() {
        true => b.lost > 0 || a.printed.iter().all(|line| b.printed.contains(line)),
        false => (&a.printed, a.lost) == (&b.printed, b.lost),
    };
    if !same_lines {
        return Some("they print different lines".to_owned());
    }
    if diverged { None } else { case.compare(&first.memory, &second.memory).map(|difference| difference.to_string()) }
}

/// An ending in words.
fn ending(ending: &Ending) -> String {
    match ending {
        Ending::Completed => "all threads come to their end".to_owned(),
        Ending::Failed { thread, message, pos, others } => {
            let message = message.as_deref().unwrap_or("abort");
            format!("thread {thread} ends in line {}, and {others} others: {message}", pos.line)
        }
        Ending::BarrierDivergence(divergence) => {
            let side = |side: &Side| match &side.did {
                Arrival::Barrier { rounds } => {
                    format!("threads {:?} in line {}, rounds {rounds:?}", side.threads, side.pos.line)
                }
                Arrival::Returned => format!("threads {:?} returned in line {}", side.threads, side.pos.line),
            };
            let sides: Vec<String> = divergence.sides.iter().map(side).collect();
            format!("tile {:?}: {}", divergence.tile, sides.join("; "))
        }
        Ending::OutOfFuel { .. } | Ending::Interrupted | Ending::Stopped => "it is stopped".to_owned(),
    }
}

/// The launch of a case.
fn of<'a>(case: &'a Case, checked: &'a Checked<Kernel>) -> Launch<'a> {
    Launch::new(checked, &case.domain, &case.arguments, LIMIT)
}

/// Counts how much of the kernel is vector code.
fn count_lanes(case: &Case, checked: &Checked<Kernel>, report: &mut FuzzReport) {
    match compiled_report(checked, Some(&case.arguments), LANES) {
        Ok(compiled) => report.share = report.share.and(compiled.share()),
        Err(why) => {
            report.share = report.share.and(Share { lanes: 0, parts: 1 });
            *report.scalar.entry(why).or_default() += 1;
        }
    }
}

/// The kernels made here have no races, so a report of one is wrong. They do read `tile_static` and local memory that is zero and was not written.
fn look(case: &Case, checked: &Checked<Kernel>, target: Target) -> Verdict {
    let checks = Checks { races: true, ..Checks::default() };
    let mut memory = case.memory.clone();
    let outcome = target.launch(&Launch { checks, ..of(case, checked) }, &mut memory);
    match outcome.as_ref().map(|outcome| outcome.reports.first()) {
        Ok(Some(report)) => Err((Fault::Report, format!("{target} with checks: {}", report.message()))),
        Ok(None) | Err(_) => Ok(()),
    }
}

/// The kernel, printed and read back.
fn round_trip(kernel: &Kernel) -> Result<Kernel, (Fault, String)> {
    let text = text::print(kernel);
    match text::parse("fuzzed.kir", &text) {
        Ok(again) if again == *kernel => Ok(again),
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
    /// Its driver fails to take it.
    Refused(String),
}

fn launch(
    case: &Case,
    checked: &Checked<Kernel>,
    target: Target,
    way: Way,
    launcher: Launcher,
) -> Result<Launched, (Fault, String)> {
    let mut memory = case.memory.clone();
    let launched = || launcher(target, &Launch { way, ..of(case, checked) }, &mut memory);
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
        (Err(Refusal::Driver(detail)), _) => return Ok(Launched::Refused(detail)),
        (Err(refusal), _) => return Err((Fault::Refused, format!("{target} {way}: {refusal}"))),
    };
    let wrong = match &outcome.ending {
        Ending::Completed | Ending::Failed { .. } | Ending::BarrierDivergence(_) => None,
        Ending::OutOfFuel { .. } => Some("it does not end"),
        Ending::Interrupted | Ending::Stopped => Some("it was stopped"),
    };
    match wrong {
        Some(wrong) => Err((Fault::Ending, format!("{target} {way}: {wrong}"))),
        None => Ok(Launched::Ended(Ended { memory, outcome })),
    }
}

#[cfg(test)]
mod tests {
    use tilewise_ir::launch::{Argument, Domain, Printed, ViewArgument};

    use super::*;

    /// A GPU of which all tiles run, also behind one whose threads do not meet.
    fn all_tiles_run(target: Target, launch: &Launch<'_>, memory: &mut Memory) -> Result<Outcome, Refusal> {
        let mut outcome = Target::Reference.launch(&Launch { way: Way::Linear, ..launch.clone() }, memory)?;
        if target.is_gpu() {
            outcome.printed.extend([2, 3].map(|thread| Printed { thread, text: "here".into() }));
        }
        Ok(outcome)
    }

    /// One that forgets what is said first.
    fn first_line_is_lost(target: Target, launch: &Launch<'_>, memory: &mut Memory) -> Result<Outcome, Refusal> {
        let mut outcome = all_tiles_run(target, launch, memory)?;
        if target.is_gpu() {
            outcome.printed.remove(0);
        }
        Ok(outcome)
    }

    #[test]
    fn tiles_behind_one_that_diverges_may_have_run_on_a_gpu() {
        let kernel = "kernel k(a: view<i32, 1, read>) tile(2) {
            print(\"here\");
            if a[global[0]] == 1 { barrier; }
        }";
        let case = Case {
            kernel: text::parse("k.kir", kernel).unwrap(),
            domain: Domain::new([4]),
            memory: Memory::new(vec![[1i32, 0, 1, 0].iter().flat_map(|n| n.to_le_bytes()).collect()]),
            arguments: vec![Argument::View(ViewArgument::dense(0, &[4]))],
            aliases: Vec::new(),
        };
        let judge = |launcher| {
            let targets = [Target::Reference, Target::GpuStrict];
            judge_by(&case, &targets, launcher, &mut FuzzReport::default()).map_err(|(fault, _)| fault)
        };
        assert_eq!(judge(all_tiles_run), Ok(()));
        assert_eq!(judge(first_line_is_lost), Err(Fault::Mismatch));
    }
}
