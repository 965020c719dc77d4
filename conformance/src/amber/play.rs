//! Runs a script once on one target, and tells what came of each command.

use std::time::Duration;

use tilewise_amber::{ScriptCommand, ScriptExpect};
use tilewise_cpu_jit::emit::CodeForm;
use tilewise_header::{Complaint, FilePlace};
use tilewise_interp::Checks;
use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal};

use super::bind::{ROOM, arguments};
use super::program::{AmberKernel, AmberProgram};
use crate::kir::shader::domain;
use crate::target::{LaunchVariant, Limit, SuiteTarget, TargetLaunch, UserFallback};

/// How to play a script.
#[derive(Clone, Debug)]
pub struct PlayOptions {
    /// The target.
    pub target: SuiteTarget,
    /// The order of threads.
    pub way: LaunchVariant,
    /// What ends a launch.
    pub limit: Limit,
    /// What the reference looks for.
    pub checks: Checks,
    /// What becomes of a kernel that the target cannot compile.
    pub fallback: UserFallback,
}

/// What came of a script.
#[derive(Debug)]
pub struct PlayedScript {
    /// What each command did, in order; commands that are repeated come again.
    pub steps: Vec<(FilePlace, PlayedStep)>,
    /// Launches beyond those whose reports are kept.
    pub reports_left_out: usize,
    /// The buffers as the script leaves them.
    pub memory: LaunchMemory,
}

/// Launches whose reports are kept: a script may repeat one a hundred thousand times.
const REPORTED_RUNS: usize = 10;

/// What a command did.
#[derive(Debug)]
pub enum PlayedStep {
    /// A launch ended, with a sentence if it took a slower way.
    Ran {
        /// The number of the pipeline.
        pipeline: usize,
        /// How it ended.
        outcome: Box<Outcome>,
        /// The sentence.
        slower: Option<String>,
    },
    /// A launch was refused.
    Refused(Refusal),
    /// A buffer does not fit what it is bound to.
    Misfit(Complaint),
    /// A buffer was copied.
    Copied,
    /// An expectation was compared; what differs.
    Expected(Option<String>),
}

/// Plays a script until its end, or until a launch does not complete.
pub fn play(program: &AmberProgram, options: &PlayOptions) -> PlayedScript {
    let mut memory = first_memory(program);
    let mut steps = Vec::new();
    let mut reported = 0;
    for number in order_of_commands(program) {
        let placed = &program.script.commands[number];
        let step = match &placed.command {
            &ScriptCommand::Run { pipeline, dispatch } => {
                let launch = |launch: &TargetLaunch<'_>, memory: &mut LaunchMemory| {
                    let launch = TargetLaunch { way: options.way, checks: options.checks.clone(), ..launch.clone() };
                    options.target.launch_for_users(&launch, memory, options.fallback)
                };
                let refused = too_many(program, pipeline, dispatch, placed.at);
                let refused = refused.filter(|_| options.target == SuiteTarget::Reference);
                let ran = match refused {
                    Some(complaint) => Err(RunFailure::Misfit(complaint)),
                    None => run(program, pipeline, dispatch, options.limit, &mut memory, &launch),
                };
                match ran {
                    Ok(Some((mut outcome, slower))) => {
                        reported += usize::from(!outcome.reports.is_empty());
                        if reported > REPORTED_RUNS && outcome.ending == Ending::Completed {
                            outcome.reports = Vec::new();
                        }
                        PlayedStep::Ran { pipeline, outcome: Box::new(outcome), slower }
                    }
                    // Nothing is dispatched.
                    Ok(None) => continue,
                    Err(RunFailure::Misfit(complaint)) => PlayedStep::Misfit(complaint),
                    Err(RunFailure::Refused(refusal)) => PlayedStep::Refused(refusal),
                }
            }
            &ScriptCommand::Copy { from, to } => {
                copy(&mut memory, from, to);
                PlayedStep::Copied
            }
            ScriptCommand::Expect(expect) => PlayedStep::Expected(difference(program, expect, &memory)),
            ScriptCommand::Repeat { .. } => continue,
        };
        let ends = match &step {
            PlayedStep::Ran { outcome, .. } => outcome.ending != Ending::Completed,
            PlayedStep::Refused(_) | PlayedStep::Misfit(_) => true,
            PlayedStep::Copied | PlayedStep::Expected(_) => false,
        };
        steps.push((placed.at, step));
        if ends {
            break;
        }
    }
    PlayedScript { steps, reports_left_out: reported.saturating_sub(REPORTED_RUNS), memory }
}

/// The buffers as the script declares them, each with room for what a shader rounds up.
pub(super) fn first_memory(program: &AmberProgram) -> LaunchMemory {
    let with_room = |contents: &Vec<u8>| {
        let mut contents = contents.clone();
        contents.resize(contents.len().next_multiple_of(ROOM), 0);
        contents
    };
    LaunchMemory::new(program.script.buffers.iter().map(|buffer| with_room(&buffer.contents)).collect())
}

/// The numbers of the commands in the order in which they run, repetitions written out.
pub(super) fn order_of_commands(program: &AmberProgram) -> Vec<usize> {
    let commands = &program.script.commands;
    let mut out = Vec::new();
    let mut next = 0;
    while let Some(placed) = commands.get(next) {
        match placed.command {
            ScriptCommand::Repeat { times, length } => {
                (0..times).for_each(|_| out.extend(next + 1..next + 1 + length));
                next += length;
            }
            ScriptCommand::Run { .. } | ScriptCommand::Copy { .. } | ScriptCommand::Expect(_) => out.push(next),
        }
        next += 1;
    }
    out
}

pub(super) fn copy(memory: &mut LaunchMemory, from: usize, to: usize) {
    memory.allocations[to] = memory.allocations[from].clone();
}

pub(super) fn difference(program: &AmberProgram, expect: &ScriptExpect, memory: &LaunchMemory) -> Option<String> {
    expect.difference(&program.script, &|number| memory.allocations.get(number).map_or(&[][..], Vec::as_slice))
}

/// Why a launch was not made.
pub(super) enum RunFailure {
    Misfit(Complaint),
    Refused(Refusal),
}

/// Runs a pipeline on this memory; nothing if no workgroup is dispatched.
pub(super) fn run<R>(
    program: &AmberProgram,
    pipeline: usize,
    dispatch: [u32; 3],
    limit: Limit,
    memory: &mut LaunchMemory,
    launch: &dyn Fn(&TargetLaunch<'_>, &mut LaunchMemory) -> Result<R, Refusal>,
) -> Result<Option<R>, RunFailure> {
    let Some(kernel) = program.kernels.get(&pipeline).filter(|_| !dispatch.contains(&0)) else { return Ok(None) };
    let buffers = memory.allocations.len();
    let (domain, arguments) = prepare(program, pipeline, kernel, dispatch, memory)?;
    let plain = TargetLaunch::new(&kernel.kernel, &domain, &arguments, limit);
    let launched = launch(&plain, memory).map_err(RunFailure::Refused);
    memory.allocations.truncate(buffers);
    launched.map(Some)
}

/// The threads of a dispatch on the reference, at most: more take minutes even if they do nothing, and what they do
/// is all that counts for the limit.
const MOST_THREADS: u64 = 200_000_000;

/// Why the reference does not run a pipeline with this dispatch at all.
pub(super) fn too_many(
    program: &AmberProgram,
    pipeline: usize,
    dispatch: [u32; 3],
    at: FilePlace,
) -> Option<Complaint> {
    let workgroup = program.kernels.get(&pipeline)?.workgroup;
    let threads = Domain::new(domain(dispatch, workgroup).ok()?).threads();
    let message = format!("the dispatch has {threads} threads, and the reference runs {MOST_THREADS} at most");
    (threads > MOST_THREADS).then(|| Complaint::new(at, message, "dispatch fewer workgroups"))
}

/// Domain and arguments of a run.
pub(super) fn prepare(
    program: &AmberProgram,
    pipeline: usize,
    kernel: &AmberKernel,
    dispatch: [u32; 3],
    memory: &mut LaunchMemory,
) -> Result<(Domain, Vec<Argument>), RunFailure> {
    let described = &program.script.pipelines[pipeline];
    let extent = domain(dispatch, kernel.workgroup)
        .map_err(|message| RunFailure::Misfit(Complaint::new(described.at, message, "dispatch fewer workgroups")))?;
    let arguments = arguments(&program.script, described, kernel, memory).map_err(RunFailure::Misfit)?;
    Ok((Domain::new(extent), arguments))
}

/// The emitter of the code that ran, beside the outcome.
pub(super) type RanInForm = (Outcome, Option<CodeForm>);

/// The time that a launch may take, of a script of users.
pub(super) const TIME: Duration = Duration::from_secs(60);
