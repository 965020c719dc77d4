//! Judges a script: on the reference in three orders of threads, and beside it on other targets, command by
//! command.

use std::collections::BTreeSet;

use tilewise_amber::ScriptCommand;
use tilewise_cpu_jit::emit::CodeForm;
use tilewise_header::FilePlace;
use tilewise_interp::Checks;
use tilewise_ir::diag::Colour;
use tilewise_ir::launch::{Ending, LaunchMemory, NOT_WELL_FORMED, Outcome, Refusal};

use super::play::{
    RanInForm, RunFailure, TIME, copy, difference, first_memory, order_of_commands, prepare, run, too_many,
};
use super::program::{AmberProgram, AmberRejection, load};
use crate::kir::case::{FELL_BACK, NO_ROW, RELAXED, relaxed_allows};
use crate::memory_difference::memory_difference;
use crate::own_target::JudgedTarget;
use crate::shader_corpus::ending;
use crate::target::{LaunchVariant, Limit, SuiteTarget, TargetLaunch};
use crate::verdict::{CaseOutcome, Problem, Verdict};

/// Why a target that runs threads in its own order is not judged.
const ORDERED: &str = "what the script expects depends on the order of threads, and neighbours run in lanes here";
/// Instructions of a launch on the reference, at most.
const FUEL: u64 = 200_000_000;
/// Why the reference does not count.
const NOTHING: &str = "the script expects nothing";
/// Why no target does.
const NOTHING_AT_ALL: &str = "the script runs nothing, and expects nothing";
/// Problems of one target that are listed.
const LISTED: usize = 10;

/// What came of a script.
pub(crate) struct AmberOutcome {
    /// On the reference.
    pub(crate) reference: Verdict,
    /// On each target, and the emitters of the code that ran there.
    pub(crate) targets: Vec<CaseOutcome>,
    /// The codes that the checks of the reference report.
    pub(crate) findings: BTreeSet<&'static str>,
    /// Instructions on the reference.
    pub(crate) instructions: u64,
    /// Does the result depend on the order of threads?
    pub(crate) is_ordered: bool,
    /// Did a run write?
    pub(crate) has_written: bool,
    /// Did all runs complete on the reference?
    pub(crate) has_completed: bool,
}

/// The verdict on a script on one target.
pub(crate) fn verdict_on(path: &str, text: &str, target: JudgedTarget<'_>) -> CaseOutcome {
    let program = match load(path, text) {
        Ok(program) => program,
        Err(rejection) => return CaseOutcome::of(rejected(path, &rejection)),
    };
    if let Some(missing) = target.missing() {
        return CaseOutcome::of(Verdict::NotRun(missing));
    }
    if !expects(&program) && !dispatches(&program) {
        return CaseOutcome::of(Verdict::NotRun(NOTHING_AT_ALL.to_owned()));
    }
    let is_reference = target.rules == SuiteTarget::Reference;
    let targets = if is_reference { Vec::new() } else { vec![target] };
    let mut outcome = judge_on(path, &program, &targets, Limit { fuel: FUEL, time: TIME }, false);
    match outcome.targets.pop() {
        Some(judged) => judged,
        None if !expects(&program) && outcome.reference == Verdict::Pass => {
            CaseOutcome::of(Verdict::NotRun(NOTHING.to_owned()))
        }
        None => CaseOutcome::of(outcome.reference),
    }
}

fn rejected(path: &str, rejection: &AmberRejection) -> Verdict {
    let fail = |at, message| Verdict::Fail(vec![Problem { path: path.to_owned(), at, message }]);
    match rejection {
        AmberRejection::Wrong(complaint) => fail(complaint.at, complaint.to_string()),
        AmberRejection::Refused(complaint) => {
            Verdict::NotRun(format!("line {}: {}", complaint.at.line, complaint.message))
        }
        AmberRejection::Shader { is_refusal: true, .. } => {
            let (at, message) = rejection.first();
            let place = if at.line > 0 { format!("line {}: ", at.line) } else { String::new() };
            Verdict::NotRun(format!("{place}a shader is not imported: {message}"))
        }
        AmberRejection::Shader { rejection, .. } => {
            let report = rejection.render(Colour::Never);
            fail(FilePlace::default(), format!("a shader is rejected\n{report}"))
        }
    }
}

/// A target in one variant, with the memory that it has left so far.
struct ScriptPlayer<'a> {
    /// The number of the target.
    number: usize,
    target: JudgedTarget<'a>,
    way: LaunchVariant,
    memory: LaunchMemory,
    /// Why its memory may differ from the reference's.
    freedom: Option<&'static str>,
    ended: Option<Verdict>,
    problems: Vec<Problem>,
    forms: BTreeSet<CodeForm>,
}

impl ScriptPlayer<'_> {
    fn fail(&mut self, path: &str, at: FilePlace, message: String) {
        if self.problems.len() < LISTED {
            self.problems.push(Problem { path: path.to_owned(), at, message });
        }
    }

    fn verdict(&self, expects: bool) -> Verdict {
        match (&self.ended, self.freedom) {
            _ if !self.problems.is_empty() => Verdict::Fail(self.problems.clone()),
            (Some(ended), _) => ended.clone(),
            (None, Some(reason)) if !expects => Verdict::NotRun(reason.to_owned()),
            (None, _) => Verdict::Pass,
        }
    }
}

/// Judges a script on targets. With `for_users`, a kernel that is too large for several lanes is compiled for one.
pub(crate) fn judge_on(
    path: &str,
    program: &AmberProgram,
    targets: &[JudgedTarget<'_>],
    limit: Limit,
    for_users: bool,
) -> AmberOutcome {
    let memory = first_memory(program);
    let players = targets.iter().enumerate().flat_map(|(number, &target)| {
        let memory = &memory;
        target.rules.ways().iter().map(move |&way| ScriptPlayer {
            number,
            target,
            way,
            memory: memory.clone(),
            freedom: None,
            ended: None,
            problems: Vec::new(),
            forms: BTreeSet::new(),
        })
    });
    let mut walk = ScriptWalk {
        path,
        program,
        limit,
        for_users,
        players: players.collect(),
        shuffled: [memory.clone(), memory.clone()],
        linear: memory,
        problems: Vec::new(),
        ended: None,
        orders_agree: true,
        is_ordered: false,
        has_written: false,
        findings: BTreeSet::new(),
        instructions: 0,
    };
    for number in order_of_commands(program) {
        walk.command(number);
        if walk.ended.is_some() {
            break;
        }
    }
    walk.outcome(targets)
}

/// A script while it is judged.
struct ScriptWalk<'a> {
    path: &'a str,
    program: &'a AmberProgram,
    limit: Limit,
    for_users: bool,
    players: Vec<ScriptPlayer<'a>>,
    /// The memory of the reference, with threads in the order of their indices and in two others.
    linear: LaunchMemory,
    shuffled: [LaunchMemory; 2],
    /// Expectations that do not hold on the reference.
    problems: Vec<Problem>,
    /// The verdict on all targets, where the reference cannot go on.
    ended: Option<Verdict>,
    /// Do all expectations hold in the other orders too?
    orders_agree: bool,
    is_ordered: bool,
    has_written: bool,
    findings: BTreeSet<&'static str>,
    instructions: u64,
}

impl ScriptWalk<'_> {
    fn problem(&self, at: FilePlace, message: impl Into<String>) -> Problem {
        Problem { path: self.path.to_owned(), at, message: message.into() }
    }

    fn command(&mut self, number: usize) {
        let placed = &self.program.script.commands[number];
        match &placed.command {
            &ScriptCommand::Run { pipeline, dispatch } => {
                if let Err(verdict) = self.run(placed.at, pipeline, dispatch) {
                    self.ended = Some(verdict);
                }
            }
            &ScriptCommand::Copy { from, to } => {
                let others = self.players.iter_mut().map(|player| &mut player.memory);
                let all = [&mut self.linear].into_iter().chain(&mut self.shuffled).chain(others);
                all.for_each(|memory| copy(memory, from, to));
            }
            ScriptCommand::Expect(expect) => {
                let program = self.program;
                let differs = |memory: &LaunchMemory| difference(program, expect, memory);
                let on_reference = differs(&self.linear);
                if on_reference.is_none() {
                    self.orders_agree &= self.shuffled.iter().all(|memory| differs(memory).is_none());
                }
                for player in self.players.iter_mut().filter(|player| player.ended.is_none()) {
                    let found = differs(&player.memory);
                    match (player.freedom, found) {
                        (Some(ORDERED), _) if !self.orders_agree => {
                            player.ended = Some(Verdict::NotRun(ORDERED.to_owned()));
                        }
                        (_, None) => {}
                        // Only the tolerance of the expectation counts.
                        (Some(RELAXED), Some(_)) => player.ended = Some(Verdict::NotRun(RELAXED.to_owned())),
                        (_, Some(message)) => player.fail(self.path, placed.at, message),
                    }
                }
                if let Some(message) = on_reference.filter(|_| self.problems.len() < LISTED) {
                    self.problems.push(self.problem(placed.at, message));
                }
            }
            ScriptCommand::Repeat { .. } => {}
        }
    }

    /// Runs a pipeline everywhere. The error is the verdict on all targets, if it does not complete on the
    /// reference.
    fn run(&mut self, at: FilePlace, pipeline: usize, dispatch: [u32; 3]) -> Result<(), Verdict> {
        let program = self.program;
        let Some(kernel) = program.kernels.get(&pipeline) else { return Ok(()) };
        if let Some(complaint) = too_many(program, pipeline, dispatch, at) {
            return Err(Verdict::Fail(vec![self.problem(at, complaint.to_string())]));
        }
        let before = (!self.has_written).then(|| self.linear.clone());
        let checks = Checks { unwritten_tile_memory: false, ..Checks::all() };
        let on_reference = |way, checks: Checks| {
            move |launch: &TargetLaunch<'_>, memory: &mut LaunchMemory| {
                SuiteTarget::Reference.launch(&TargetLaunch { way, checks: checks.clone(), ..launch.clone() }, memory)
            }
        };
        let fail = |problem| Verdict::Fail(vec![problem]);
        let launch = on_reference(LaunchVariant::Linear, checks);
        let outcome = match run(program, pipeline, dispatch, self.limit, &mut self.linear, &launch) {
            Ok(None) => return Ok(()),
            Ok(Some(outcome)) => outcome,
            Err(RunFailure::Misfit(complaint)) => return Err(fail(self.problem(complaint.at, complaint.to_string()))),
            Err(RunFailure::Refused(Refusal::Unsupported(reason))) => return Err(Verdict::NotRun(reason)),
            Err(RunFailure::Refused(refusal)) => return Err(fail(self.problem(at, format!("refused: {refusal}")))),
        };
        self.instructions += outcome.instructions;
        self.findings.extend(outcome.reports.iter().map(|report| report.code().name()));
        if outcome.ending != Ending::Completed {
            return Err(fail(self.problem(at, not_completed(&outcome))));
        }
        // The arguments without what a launch changes.
        let Ok((_, arguments)) = prepare(program, pipeline, kernel, dispatch, &mut self.linear.clone()) else {
            return Ok(());
        };
        self.has_written |= before.is_some_and(|before| before != self.linear);
        let was_ordered = self.is_ordered;
        self.is_ordered |= outcome.reports.iter().any(|report| report.code().name() == "K0802");
        for (seed, memory) in [1, 2].into_iter().zip(&mut self.shuffled) {
            let launch = on_reference(LaunchVariant::Shuffled(seed), Checks::default());
            let ran = run(program, pipeline, dispatch, self.limit, memory, &launch);
            let completed = matches!(ran, Ok(Some(Outcome { ending: Ending::Completed, .. })));
            self.orders_agree &= completed;
            let is_same = || memory_difference(&kernel.kernel, &arguments, &self.linear, memory).is_none();
            self.is_ordered |= !completed || !is_same();
        }
        if self.is_ordered && !was_ordered {
            self.keep_one_way();
        }
        for player in self.players.iter_mut().filter(|player| player.ended.is_none()) {
            let way = match (self.is_ordered, player.freedom, player.target.rules.in_order()) {
                (true, None, Some(way)) => way,
                (true, None, None) => {
                    player.freedom = Some(ORDERED);
                    player.way
                }
                _ => player.way,
            };
            let (target, for_users) = (player.target, self.for_users);
            let launch = |launch: &TargetLaunch<'_>, memory: &mut LaunchMemory| -> Result<RanInForm, Refusal> {
                let launch = TargetLaunch { way, ..launch.clone() };
                match for_users {
                    true => Ok((target.rules.launch_compiled(&launch, memory)?, None)),
                    false => target.launch_in_form(&launch, memory),
                }
            };
            let outcome = match run(program, pipeline, dispatch, self.limit, &mut player.memory, &launch) {
                Ok(None) => continue,
                Ok(Some((outcome, form))) => {
                    player.forms.extend(form);
                    outcome
                }
                Err(RunFailure::Misfit(complaint)) => {
                    player.fail(self.path, complaint.at, complaint.to_string());
                    player.ended = Some(Verdict::Pass);
                    continue;
                }
                Err(RunFailure::Refused(refusal)) => {
                    match unsupported(target, &refusal) {
                        Some(reason) => player.ended = Some(Verdict::NotRun(reason)),
                        None => {
                            player.fail(self.path, at, format!("refused: {refusal}"));
                            player.ended = Some(Verdict::Pass);
                        }
                    }
                    continue;
                }
            };
            if outcome.ending != Ending::Completed {
                player.fail(self.path, at, not_completed(&outcome));
                player.ended = Some(Verdict::Pass);
                continue;
            }
            if player.freedom.is_some() {
                continue;
            }
            let Some(found) = memory_difference(&kernel.kernel, &arguments, &self.linear, &player.memory) else {
                continue;
            };
            let may_differ =
                target.rules.is_relaxed() && relaxed_allows(&kernel.kernel, &arguments, &self.linear, &player.memory);
            if may_differ {
                player.freedom = Some(RELAXED);
            } else {
                let name = program.script.buffers.get(found.allocation).map_or("", |buffer| buffer.name.as_str());
                let message = format!("the run leaves `{name}` otherwise than the reference does (second): {found}");
                player.fail(self.path, at, message);
                player.ended = Some(Verdict::Pass);
            }
        }
        Ok(())
    }

    /// Keeps the first variant of each target that has not ended: where the order matters, all are one.
    fn keep_one_way(&mut self) {
        let mut seen = BTreeSet::new();
        self.players.retain(|player| player.ended.is_some() || seen.insert(player.number));
    }

    fn outcome(self, targets: &[JudgedTarget<'_>]) -> AmberOutcome {
        let expects = expects(self.program);
        let has_completed = self.ended.is_none();
        let reference = match self.ended {
            Some(ended) => ended,
            None if !self.problems.is_empty() => Verdict::Fail(self.problems),
            None => Verdict::Pass,
        };
        let of_target = |number: usize, target: &JudgedTarget<'_>| {
            let own: Vec<&ScriptPlayer<'_>> = self.players.iter().filter(|player| player.number == number).collect();
            let forms: BTreeSet<CodeForm> = own.iter().flat_map(|player| player.forms.iter().copied()).collect();
            let verdicts: Vec<Verdict> = own.iter().map(|player| player.verdict(expects)).collect();
            let worst = |is_it: &dyn Fn(&Verdict) -> bool| verdicts.iter().find(|verdict| is_it(verdict)).cloned();
            let failed = worst(&|verdict| matches!(verdict, Verdict::Fail(_)));
            let not_run = worst(&|verdict| !matches!(verdict, Verdict::Pass | Verdict::Fail(_)));
            let lacks_form = target.rules.form().is_some_and(|form| !forms.is_empty() && !forms.contains(&form));
            let verdict = match (failed, not_run, &reference) {
                (Some(failed), _, _) => failed,
                // Where the reference does not go on, nothing does.
                (None, _, ended @ (Verdict::NotRun(_) | Verdict::Unsupported(_))) => ended.clone(),
                (None, Some(not_run), _) => not_run,
                (None, None, Verdict::Fail(problems)) => Verdict::Fail(problems.clone()),
                (None, None, Verdict::Pass) if lacks_form => Verdict::NotRun(NO_ROW.to_owned()),
                (None, None, Verdict::Pass) => Verdict::Pass,
            };
            CaseOutcome { verdict, forms, within_tolerance: false }
        };
        let judged = targets.iter().enumerate().map(|(number, target)| of_target(number, target)).collect();
        AmberOutcome {
            reference,
            targets: judged,
            findings: self.findings,
            instructions: self.instructions,
            is_ordered: self.is_ordered,
            has_written: self.has_written,
            has_completed,
        }
    }
}

/// The reason why a target does not run a kernel; nothing if it should.
fn unsupported(target: JudgedTarget<'_>, refusal: &Refusal) -> Option<String> {
    let Refusal::Unsupported(reason) = refusal else { return None };
    if let Some(missing) = target.missing() {
        return Some(missing);
    }
    match target.rules.is_gpu() {
        _ if reason.contains(NOT_WELL_FORMED) => None,
        true => Some(reason.clone()),
        false => Some(format!("{FELL_BACK}: {reason}")),
    }
}

fn not_completed(outcome: &Outcome) -> String {
    let ended = ending(&outcome.ending);
    match &outcome.ending {
        Ending::BarrierDivergence(divergence) => format!("{ended}: {}", divergence.diagnostic().message),
        Ending::Failed { message: Some(message), .. } => format!("{ended}: {message}"),
        Ending::Completed
        | Ending::Failed { message: None, .. }
        | Ending::OutOfFuel { .. }
        | Ending::Interrupted
        | Ending::Stopped
        | Ending::OutOfMemory { .. } => ended,
    }
}

/// Does a script run a workgroup?
fn dispatches(program: &AmberProgram) -> bool {
    program.script.commands.iter().any(|placed| match placed.command {
        ScriptCommand::Run { dispatch, .. } => !dispatch.contains(&0),
        ScriptCommand::Copy { .. } | ScriptCommand::Expect(_) | ScriptCommand::Repeat { .. } => false,
    })
}

/// Does a script expect anything?
pub(super) fn expects(program: &AmberProgram) -> bool {
    program.script.commands.iter().any(|placed| matches!(placed.command, ScriptCommand::Expect(_)))
}
