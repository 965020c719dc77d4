//! The way of a launch.
#![allow(
    unsafe_code,
    reason = "works in memory that the caller answers for, by pointers; `Engine::launch` says what must hold"
)]

use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Kernel, ParamKind};
use tilewise_ir::launch::{Argument, Domain, Ending, Memory, Outcome, Refusal, check_arguments};
use tilewise_ir::stack::with_bytes;

use super::fallback::{Before, interpret};
use super::float::Environment;
use super::grid::Grid;
use super::job::{Job, Loaded};
use super::told::Told;
use super::{Engine, LaunchOptions, Launched, Prepared, Ran};
use super::{team, watch, width};
use crate::bind::{Bases, Bound};
use crate::emit;
use crate::form::Key;

/// Bytes of stack that a launch takes whose code is there; what takes more asks for it.
const STACK: usize = 256 << 10;

impl Engine {
    /// Launches a kernel over memory that is there already. Refused, with nothing run, if the domain or what is bound does not fit.
    ///
    /// # Safety
    /// What is bound must be true: every element of a view (the element type's size, at `base` plus the strides' elements) and every byte of a buffer is alive and
    /// initialised until this returns; nobody else writes there meanwhile, and what the kernel may write nobody else reads. What is bound of one home is of one
    /// allocation, by addresses that a pointer which may be used for all of it was exposed as; homes have no byte in common. If the options leave out checks, no
    /// thread of the kernel may touch anything out of range.
    pub unsafe fn launch(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        bound: &[Bound<'_>],
        options: &LaunchOptions<'_>,
    ) -> Result<Launched, Refusal> {
        // SAFETY: the caller's promise.
        with_bytes(STACK, || unsafe { self.launch_here(kernel, domain, bound, options) })
    }

    /// # Safety
    /// As [`Engine::launch`].
    unsafe fn launch_here(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        bound: &[Bound<'_>],
        options: &LaunchOptions<'_>,
    ) -> Result<Launched, Refusal> {
        domain.check(kernel.kernel())?;
        check_bound(kernel.kernel(), bound)?;
        let until = options.time_limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut ran = Ran { cached: true, ..Ran::default() };
        self.begin_start(options.threads);
        let prepared = match options.interpret {
            true => Err("that was asked for".into()),
            false => prepare(kernel, domain, bound, options, &mut ran),
        };
        let begin = Instant::now();
        let over = || until.is_some_and(|until| Instant::now() >= until);
        let interrupt = || over() || options.interrupt.is_some_and(|ask| ask());
        let interpret = || {
            let _environment = Environment::enter();
            // SAFETY: the caller's promise; what is bound was checked.
            unsafe { interpret(kernel.kernel(), domain, bound, &interrupt) }
        };
        let outcome = match prepared {
            Ok(job) => {
                // SAFETY: as above.
                let keep = || unsafe { Before::of(kernel.kernel().inlined(), bound) };
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
                        ran.fallback = Some("all threads that others had not waited for at a barrier failed".into());
                        ran.relaxed = false;
                        // SAFETY: as above; nobody works on the launch any more.
                        unsafe { before.put_back() };
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
        Ok(Launched { outcome, ran: Ran { run: begin.elapsed(), ..ran } })
    }

    /// Runs compiled code.
    fn run_job(&self, job: Job, options: &LaunchOptions<'_>, until: Option<Instant>) -> Outcome {
        if options.interrupt.is_some_and(|ask| ask()) {
            job.interrupt();
            return job.outcome();
        }
        let stop = Arc::clone(&job.stop);
        let (units, pace) = (job.grid.units(), Arc::clone(&job.wide.specialised.pace));
        let crew = self.crew(options.threads);
        let over = watch::watched(&stop, until, options.interrupt, || team::run(crew, units, &pace, job));
        over.outcome()
    }

    /// Launches a kernel in pieces of bytes, as [`interp::run_until`](tilewise_ir::interp::run_until) does.
    pub fn run(
        &self,
        kernel: &Prepared,
        domain: &Domain,
        memory: &mut Memory,
        arguments: &[Argument],
        options: &LaunchOptions<'_>,
    ) -> Result<Launched, Refusal> {
        domain.check(kernel.kernel())?;
        check_arguments(kernel.kernel(), memory, arguments)?;
        if options.without.checks {
            let why = "without checks only `Engine::launch` takes a kernel: its caller must vouch for every access";
            return Err(Refusal::Unsupported(why.into()));
        }
        let bases: Vec<u64> =
            memory.pieces.iter_mut().map(|piece| piece.as_mut_ptr().expose_provenance() as u64).collect();
        let base = |piece: usize, offset: u64| bases.get(piece).copied().unwrap_or(0).wrapping_add(offset);
        let bound = arguments.iter().map(|argument| match argument {
            Argument::View(view) => Bound::View {
                base: base(view.piece, view.offset),
                home: view.piece as u64,
                extent: &view.extent,
                strides: &view.strides,
            },
            &Argument::Buffer { piece, offset, size } => {
                Bound::Buffer { base: base(piece, offset), home: piece as u64, size }
            }
            Argument::Uniform(bytes) => Bound::Uniform(bytes),
        });
        let bound: Vec<Bound<'_>> = bound.collect();
        // SAFETY: the arguments lie within their pieces, as was checked, and the memory is borrowed for us alone.
        unsafe { self.launch(kernel, domain, &bound, options) }
    }
}

/// Everything that compiled code needs for this launch, or why it has to be interpreted.
fn prepare(
    kernel: &Prepared,
    domain: &Domain,
    bound: &[Bound<'_>],
    options: &LaunchOptions<'_>,
    ran: &mut Ran,
) -> Result<Job, Arc<str>> {
    let binder = kernel.binder();
    let aggregates = binder.aggregates(bound);
    let constants = binder.constants().bytes().as_ptr().expose_provenance() as u64;
    let aggregates_at = aggregates.bytes().as_ptr().expose_provenance() as u64;
    let bases = Bases { constants, aggregates: &aggregates, aggregates_at };
    let flat = binder.flat(domain, bound);
    let shape = flat.as_ref().unwrap_or(domain);
    let relaxed = options.relaxed && emit::fuses();
    ran.relaxed = relaxed;
    let mut load = |width: u32| {
        let key = Key { flat: flat.is_some(), relaxed, without: options.without, ..binder.key(bound, width) };
        let specialised = kernel.specialised(key);
        let (which, took) = specialised.ready(options.effort);
        ran.compile += took.unwrap_or_default();
        ran.cached &= took.is_none();
        let which = which?;
        let inputs = specialised.get(which).map_or(&[][..], |ready| &ready.program.inputs);
        let words = binder.words(domain, bound, inputs, bases);
        Ok(Loaded { specialised, which, words })
    };
    let mut width = width::choose(kernel.kernel(), shape, width::widest(), options.width);
    let mut narrowed = None;
    let wide = match load(width) {
        Err(reason) if width > 1 => {
            (width, narrowed) = (1, Some(reason));
            load(1)?
        }
        loaded => loaded?,
    };
    // Of the program, which may have fewer lanes than it was asked for.
    let (lanes, repeatable) = wide.code().map_or((width, false), |made| (made.program.width, made.repeatable));
    let grid = Grid::new(kernel.kernel(), shape, lanes, repeatable);
    let narrow = if grid.has_narrow() { Some(load(1)?) } else { None };
    (ran.width, ran.narrowed) = (width, narrowed);
    Ok(Job {
        kernel: kernel.clone(),
        domain: domain.clone(),
        grid,
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

/// May a view or buffer begin at this address, if atomic operations on scalars of up to `atomic`
/// bytes change it? Compiled code
/// takes for granted that it may, and machines end a program over an atomic access elsewhere.
fn check_address(name: &str, base: u64, atomic: u32) -> Result<(), Refusal> {
    if atomic == 0 || base.is_multiple_of(atomic.into()) {
        return Ok(());
    }
    Err(Refusal::BadArgument(format!(
        "`{name}` begins at an address that is no multiple of {atomic}: what is changed by atomic operations on {atomic} bytes begins at one"
    )))
}

/// Does what is bound fit the kernel's parameters? Whether it lies in memory is the caller's to know.
fn check_bound(kernel: &Checked<Kernel>, bound: &[Bound<'_>]) -> Result<(), Refusal> {
    let bad = |text: String| Err(Refusal::BadArgument(text));
    let params = kernel.params();
    if bound.len() != params.len() {
        let (name, want, have) = (kernel.name(), params.len(), bound.len());
        return bad(format!("the kernel `{name}` has {want} parameters, {have} were bound"));
    }
    for ((param, bound), &atomic) in params.iter().zip(bound).zip(kernel.atomic_sizes()) {
        let name = &param.name;
        match (param.kind, bound) {
            (ParamKind::View(ty), &Bound::View { base, extent, strides, .. }) => {
                let rank = ty.rank as usize;
                if extent.len() != rank || strides.len() != rank {
                    return bad(format!("`{name}` is a view of rank {rank}, the one bound has rank {}", extent.len()));
                }
                if let Some(e) = extent.iter().find(|&&e| e < 0) {
                    return bad(format!("`{name}`: an extent of {e} is negative"));
                }
                if !extent.contains(&0) {
                    check_address(name, base, atomic)?;
                }
            }
            (ParamKind::Buffer { ty, .. }, &Bound::Buffer { base, size, .. }) => {
                let need = kernel.types().size(ty);
                if size < need {
                    return bad(format!("`{name}` needs at least {need} bytes, {size} were bound"));
                }
                if size > 0 {
                    check_address(name, base, atomic)?;
                }
            }
            (ParamKind::Uniform(ty), Bound::Uniform(bytes)) => {
                let need = kernel.types().size(ty);
                if bytes.len() as u64 != need {
                    return bad(format!("`{name}` takes {need} bytes, {} were given", bytes.len()));
                }
            }
            (ParamKind::View(_), _) => return bad(format!("`{name}` is a view, and something else was bound to it")),
            (ParamKind::Buffer { .. }, _) => {
                return bad(format!("`{name}` is a buffer, and something else was bound to it"));
            }
            (ParamKind::Uniform(_), _) => {
                return bad(format!("`{name}` is a value, and something else was bound to it"));
            }
        }
    }
    Ok(())
}
