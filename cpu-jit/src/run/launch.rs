//! Launches: validation, compilation or fallback, and execution.
#![allow(
    unsafe_code,
    reason = "works in memory that the caller answers for, by pointers; `Engine::launch` says what must hold"
)]

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tilewise_ir::launch::{Argument, Domain, Ending, LaunchMemory, Outcome, Refusal, validate};
use tilewise_ir::stack::with_bytes;

use super::fallback::{Before, interpret};
use super::float::Environment;
use super::grid::UnitGrid;
use super::job::{LaunchJob, Loaded};
use super::messages::Told;
use super::streaming::{StreamLead, Streaming, WriteHistory, streaming};
use super::watch::{self, LOOK};
use super::{Engine, JitKernel, JitLaunchOptions, JitLaunched, Ran};
use super::{team, width};
use crate::bind::{Bases, HostAllocation, LaunchArguments};
use crate::emit::{self, CodeForm, MachineCode};
use crate::vectorize::CodeKey;

/// Bytes of stack of a launch whose code is cached; steps that need more switch stacks.
const STACK: usize = 256 << 10;

/// Why a launch begins again: compiled code stops at the first thread that others seem to miss.
const MISSED_BY_MISTAKE: &str = "all threads that others had not waited for at a barrier failed";

impl Engine {
    /// Launches a kernel over memory borrowed from the caller. Refused, with nothing run, if the
    /// domain or an argument does not fit, including an argument that exceeds its allocation.
    ///
    /// # Safety
    /// Each allocation is `size` bytes at `address`, which is the exposed address of a pointer
    /// valid for all of them; allocations do not overlap. Every byte that an argument names (the
    /// elements of views, the bytes of buffers) is alive and initialised until this returns;
    /// nothing else writes it meanwhile, and if the kernel may write it nothing else reads it. If
    /// the options leave out checks, no thread of the kernel may access anything out of range.
    pub unsafe fn launch(
        &self,
        kernel: &JitKernel,
        domain: &Domain,
        allocations: &[HostAllocation],
        arguments: &[Argument],
        options: &JitLaunchOptions<'_>,
    ) -> Result<JitLaunched, Refusal> {
        let launch = LaunchArguments { allocations, arguments };
        // SAFETY: guaranteed by the caller.
        with_bytes(STACK, || unsafe { self.launch_here(kernel, domain, launch, options) })
    }

    /// # Safety
    /// As [`Engine::launch`].
    unsafe fn launch_here(
        &self,
        kernel: &JitKernel,
        domain: &Domain,
        launch: LaunchArguments<'_>,
        options: &JitLaunchOptions<'_>,
    ) -> Result<JitLaunched, Refusal> {
        domain.check(kernel.kernel())?;
        // Compiled code relies on this validation, including alignment: machines fault on
        // misaligned atomic accesses.
        let facts = |allocation: usize| launch.allocations.get(allocation).map(HostAllocation::facts);
        validate(kernel.kernel(), launch.arguments, facts)?;
        let mut ran = Ran { cached: true, ..Ran::default() };
        self.begin_start(options.threads);
        let prepared = match options.interpret {
            true => Err("that was asked for".into()),
            false => {
                let kernel = if options.width == Some(1) { kernel } else { kernel.in_lanes() };
                prepare(kernel, domain, launch, options, (self.working(options.threads), &self.history, &mut ran))
            }
        };
        // Compilation cannot be interrupted, and only the first launch of a kernel compiles: the
        // time limit excludes it.
        let begin = Instant::now();
        let until = options.time_limit.and_then(|limit| begin.checked_add(limit));
        let over = || until.is_some_and(|until| Instant::now() >= until);
        let interrupt = || over() || options.interrupt.is_some_and(|ask| ask());
        let interpret = || {
            let _environment = Environment::enter();
            // SAFETY: guaranteed by the caller; the arguments were validated.
            unsafe { interpret(kernel.kernel(), domain, launch, &interrupt) }
        };
        let outcome = match prepared {
            Ok(job) => {
                // SAFETY: as above.
                let keep = || unsafe { Before::of(kernel.kernel(), launch) };
                let before = if job.wide.doubtful() { Some(keep()?) } else { None };
                let loaded = [Some(&job.wide), job.narrow.as_ref()];
                let loaded = loaded.map(|loaded| loaded.map(|loaded| (Arc::clone(&loaded.specialised), loaded.which)));
                let outcome = self.run_job(job, options, until);
                let why = loaded.iter().flatten().find_map(|(code, which)| code.get(*which)?.failure());
                ran.part = why.map(|why| why.to_string().into());
                if let (Some(why), true) = (&ran.part, options.no_fallback) {
                    return Err(Refusal::Unsupported(format!("a part of the kernel cannot be compiled: {why}")));
                }
                match (before, &outcome.ending) {
                    (Some(before), Ending::BarrierDivergence(divergence)) if divergence.sides.len() < 2 => {
                        // SAFETY: as above; no thread works on the launch any more.
                        unsafe { before.put_back() };
                        if options.no_repeat {
                            let why = format!("the kernel has to begin again, interpreted: {MISSED_BY_MISTAKE}");
                            return Err(Refusal::Unsupported(why));
                        }
                        ran.repeated = Some(MISSED_BY_MISTAKE.into());
                        ran.relaxed = false;
                        interpret()?
                    }
                    _ => outcome,
                }
            }
            Err(reason) if options.no_fallback => {
                return Err(Refusal::Unsupported(format!("the kernel cannot be compiled: {reason}")));
            }
            Err(reason) => {
                ran = Ran { fallback: Some(reason), compile: ran.compile, ..Ran::default() };
                interpret()?
            }
        };
        Ok(JitLaunched { outcome, ran: Ran { run: begin.elapsed(), ..ran } })
    }

    /// Runs compiled code.
    fn run_job(&self, job: LaunchJob, options: &JitLaunchOptions<'_>, until: Option<Instant>) -> Outcome {
        // Either may already be the case; the watchdog takes a while to check.
        let short = options.time_limit.is_some_and(|limit| limit < LOOK);
        let over = short && until.is_some_and(|until| Instant::now() >= until);
        if over || options.interrupt.is_some_and(|ask| ask()) {
            job.interrupt();
            return job.outcome();
        }
        let stop = Arc::clone(&job.stop);
        let (units, pace) = (job.grid.units(), Arc::clone(&job.wide.specialised.pace));
        let crew = self.crew(options.threads);
        if units.count <= 1 && !job.polls() {
            // One call, which nothing can end: there is nothing to watch.
            return team::run(crew, units, &pace, job).outcome();
        }
        let begin = Instant::now();
        let over = watch::watched(&stop, until, options.interrupt, || team::run(crew, units, &pace, job));
        let took = begin.elapsed();
        let outcome = over.outcome();
        if let (Some(trial), Ending::Completed) = (over.trial, &outcome.ending) {
            over.kernel.stream_trial().learn(trial, took.as_nanos() as f64 / over.domain.threads() as f64);
        }
        outcome
    }

    /// Launches a kernel in memory of its own, like
    /// [`interp::run_until`](tilewise_interp::run_until).
    pub fn run(
        &self,
        kernel: &JitKernel,
        domain: &Domain,
        memory: &mut LaunchMemory,
        arguments: &[Argument],
        options: &JitLaunchOptions<'_>,
    ) -> Result<JitLaunched, Refusal> {
        if options.without.checks {
            let why = "without checks only `Engine::launch` takes a kernel: its caller must vouch for every access";
            return Err(Refusal::Unsupported(why.into()));
        }
        let allocations = memory.allocations.iter_mut().map(|bytes| HostAllocation {
            address: bytes.as_mut_ptr().expose_provenance() as u64,
            size: bytes.len() as u64,
        });
        let allocations: Vec<HostAllocation> = allocations.collect();
        // SAFETY: each allocation is the whole of a `Vec`, all of them initialised and exclusively
        // borrowed; and checks are not left out.
        unsafe { self.launch(kernel, domain, &allocations, arguments, options) }
    }
}

/// Everything that compiled code needs for this launch, or the reason it must be interpreted.
fn prepare(
    kernel: &JitKernel,
    domain: &Domain,
    launch: LaunchArguments<'_>,
    options: &JitLaunchOptions<'_>,
    (threads, history, ran): (usize, &WriteHistory, &mut Ran),
) -> Result<LaunchJob, Arc<str>> {
    let own_flat = kernel.binder().flat(domain, launch.arguments);
    let turned = if own_flat.is_none() && options.width != Some(1) { kernel.turned(domain) } else { None };
    let (kernel, domain) = turned.as_ref().map_or((kernel, domain), |(kernel, domain)| (kernel, domain));
    let binder = kernel.binder();
    let aggregates = binder.aggregates(launch.arguments);
    let constants = binder.constants().bytes().as_ptr().expose_provenance() as u64;
    let aggregates_at = aggregates.bytes().as_ptr().expose_provenance() as u64;
    let bases = Bases { constants, aggregates: &aggregates, aggregates_at };
    let flat = own_flat.filter(|_| turned.is_none());
    let shape = flat.as_ref().unwrap_or(domain);
    let relaxed = options.relaxed && emit::fuses();
    ran.relaxed = relaxed;
    let form = options.form.filter(|form| form.is_native()).unwrap_or_else(CodeForm::widest);
    let key = |width: u32, streams: bool| {
        let (flat, without) = (flat.is_some(), options.without);
        let goals = form.goals(relaxed, false);
        CodeKey { flat, goals, without, streams: streams && width > 1, ..binder.key(launch.arguments, width) }
    };
    let mut width = width::choose(kernel.kernel(), shape, width::widest(form), options.width);
    let (lead, trial) = match streaming(binder.views(launch), domain.threads(), history) {
        Streaming::Never => (None, None),
        Streaming::Always(lead) => (Some(lead), None),
        Streaming::Measured(lead) => {
            let trial = kernel.stream_trial().next();
            (Some(lead).filter(|_| trial.streams), Some(trial))
        }
    };
    let mut load = |width: u32| {
        let specialised = kernel.specialised(key(width, lead.is_some()), form);
        let (which, took) = specialised.ready(options.effort);
        ran.compile += took.unwrap_or_default();
        ran.cached &= took.is_none();
        let which = which?;
        let inputs = specialised.get(which).map_or(&[][..], |ready| &ready.program.inputs);
        let words = binder.words(domain, launch, inputs, bases);
        Ok(Loaded { specialised, which, words })
    };
    let mut narrowed = None;
    let wide = match load(width) {
        Err(reason) if width > 1 => {
            (width, narrowed) = (1, Some(reason));
            load(1)?
        }
        loaded => loaded?,
    };
    // The program's width, which may be less than requested.
    let vectors = wide.code().map_or((width, false), |made| (made.program.width, made.repeatable));
    let rows = wide.code().and_then(|made| made.program.rows).map_or(1, |rows| rows.count);
    let StreamLead(lead) = lead.unwrap_or(StreamLead(0));
    let grid = UnitGrid::new(kernel.kernel(), shape, vectors, lead, (rows, threads));
    let lanes = vectors.0;
    let narrow = if grid.has_narrow() { Some(load(1)?) } else { None };
    (ran.width, ran.narrowed) = (lanes, narrowed);
    // The optimised tier has the same emitter.
    let first = wide.code().map(|ready| ready.code(true));
    ran.form = first.map(MachineCode::form);
    ran.left_to_cranelift = first.and_then(MachineCode::refusal).map(|why| why.0.as_str().into());
    Ok(LaunchJob {
        kernel: kernel.clone(),
        domain: domain.clone(),
        grid,
        trial,
        wide,
        narrow,
        _aggregates: aggregates,
        stop: Arc::default(),
        told: Told::default(),
        over: AtomicBool::new(false),
        interrupted: AtomicBool::new(false),
        effort: options.effort,
        diverged: Mutex::default(),
    })
}
