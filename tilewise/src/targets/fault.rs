//! Turns the outcome of a launch into the error that the program receives.

use std::collections::HashSet;
use std::panic::Location;
use std::sync::{Mutex, PoisonError};

use tilewise_ir::diag::{Colour, Diagnostic, render};
use tilewise_ir::launch::{Arrival, CheckReport, Divergence, Ending, FailedThreads, Finding, Outcome, Refusal};
use tilewise_ir::pos::{Pos, Source, Sources};
use tilewise_ir::stack::or_no_stack;

use crate::api::accelerator::{Accelerator, LaunchLimits};
use crate::api::domain::{Domain, position};
use crate::api::report::{Fault, Shape};
use crate::kernel::program::LoweredProgram;
use crate::targets::native::{self, UserPlace};
use crate::{Error, Result};

/// Runs a part of the library that recurses over kernels; without memory for its stacks, that is the
/// error.
pub(crate) fn with_stacks<R>(work: impl FnOnce() -> Result<R>) -> Result<R> {
    or_no_stack(work).unwrap_or_else(|none| Err(Error::OutOfMemory(none.bytes as u64)))
}

/// The error of a launch that was refused.
pub(crate) fn refused(refusal: Refusal) -> Error {
    match refusal {
        Refusal::InvalidComputeDomain(message) => {
            Error::InvalidComputeDomain(Box::new(Shape { message, dimension: None }))
        }
        Refusal::BadArgument(reason) => Error::Accelerator(reason.into()),
        Refusal::Unsupported(reason) | Refusal::Driver(reason) => Error::UnsupportedFeature(reason.into()),
    }
}

/// The result of a launch; `interrupted` returns the reason if it was interrupted. Its ending takes
/// precedence over reports of checks.
pub(crate) fn of_outcome(
    outcome: &Outcome,
    program: &LoweredProgram,
    components: &[i32],
    interrupted: &dyn Fn() -> Error,
) -> Result<()> {
    let sources = program.kernel().sources();
    match &outcome.ending {
        Ending::Completed | Ending::Stopped => {}
        Ending::Failed { thread, message, pos, others } => {
            let failed = FailedThreads {
                thread: *thread,
                message: message.clone(),
                pos: source(*pos, sources),
                others: *others,
            };
            return Err(aborted(failed, components, &outcome.reports, sources));
        }
        Ending::BarrierDivergence(divergence) => {
            return Err(diverged(divergence, components, program.kernel().tile(), sources));
        }
        Ending::Interrupted | Ending::OutOfFuel { .. } => return Err(interrupted()),
        Ending::OutOfMemory { bytes } => return Err(Error::OutOfMemory(*bytes)),
    }
    let Some(first) = outcome.reports.first() else { return Ok(()) };
    let fault = Box::new(Fault {
        message: first.message(),
        thread: first.access.index.clone(),
        source: source(first.access.pos, sources),
        text: found(&outcome.reports, outcome.more_reports, sources),
    });
    Err(match first.finding {
        Finding::OutOfRange(_) | Finding::NotWithin { .. } | Finding::Misaligned { .. } => Error::OutOfBounds(fault),
        Finding::Race { .. } => Error::DataRace(fault),
        Finding::ReadBeforeWrite(_) => Error::UninitializedRead(fault),
        Finding::Arithmetic { .. } => Error::Arithmetic(fault),
    })
}

/// The result of a launch on `native`; `kernel` is the kernel's position.
pub(crate) fn of_native<D: Domain>(
    ended: native::NativeEnd,
    kernel: &Location<'_>,
    domain: &D,
    watch: &LaunchLimits,
) -> Result<()> {
    let components = domain.components();
    match ended.ending {
        native::NativeEnding::Completed => {}
        native::NativeEnding::Interrupted => return Err(watch.reason()),
        native::NativeEnding::Panicked(panic) => {
            let text =
                format!("the closure of the kernel at {kernel} panicked: {}; {}", panic.message, panic.in_a_kernel());
            return Err(Error::UnsupportedFeature(text.into()));
        }
        native::NativeEnding::NoThreads(error) => {
            let text = format!(
                "each thread of a tile that waits at a barrier needs a thread of the operating system, which gave no more: {error}"
            );
            return Err(Error::UnsupportedFeature(text.into()));
        }
        native::NativeEnding::Diverged(native::NativeDivergence { tile, sides }) => {
            let of = domain.tile().unwrap_or_default();
            let counts: Vec<i32> = components.iter().zip(&of).map(|(&e, &t)| e / t as i32).collect();
            let mut sources = Sources::default();
            let divergence = sides.divergence(position(tile, &counts), |place| match place {
                Some(at) => (Arrival::Barrier { rounds: Vec::new() }, in_sources(at, &mut sources)),
                None => (Arrival::Returned, Pos::NONE),
            });
            return Err(diverged(&divergence, &components, Some(&of), &sources));
        }
    }
    match ended.failed {
        None => Ok(()),
        Some(FailedThreads { thread, message, pos, others }) => {
            let failed = FailedThreads { thread, message, pos: (pos.file(), pos.line(), pos.column()), others };
            Err(aborted(failed, &components, &[], &Sources::default()))
        }
    }
}

/// A position in the closure, as a position in `sources`.
fn in_sources(place: UserPlace, sources: &mut Sources) -> Pos {
    let source = sources.add(Source { name: place.file().into(), text: None });
    Pos { source, line: place.line(), column: place.column(), length: 1 }
}

fn aborted(
    failed: FailedThreads<(&'static str, u32, u32)>,
    components: &[i32],
    reports: &[CheckReport],
    sources: &Sources,
) -> Error {
    let message = failed.message.unwrap_or_else(|| "abort!".to_owned());
    let others = match failed.others {
        0 => String::new(),
        1 => "; another thread ended so too".to_owned(),
        n => format!("; {n} other threads ended so too"),
    };
    Error::Aborted(Box::new(Fault {
        message: message + &others,
        thread: position(failed.thread, components),
        source: failed.pos,
        text: found(reports, 0, sources),
    }))
}

fn diverged(divergence: &Divergence, components: &[i32], tile: Option<&[u32]>, sources: &Sources) -> Error {
    let report = divergence.diagnostic();
    let tile: Vec<i32> = tile.unwrap_or(&[]).iter().map(|&t| t as i32).collect();
    let first = divergence.sides.first().and_then(|side| side.threads.first());
    let local = first.map_or(vec![0; tile.len()], |&thread| position(u64::from(thread), &tile));
    let thread =
        divergence.tile.iter().zip(&tile).zip(&local).map(|((&at, &size), &local)| at * size + local).collect();
    debug_assert_eq!(tile.len(), components.len());
    let at = divergence.sides.iter().map(|side| side.pos).find(|pos| pos.is_known());
    Error::BarrierDivergence(Box::new(Fault {
        message: report.message.clone(),
        thread,
        source: source(at.unwrap_or(Pos::NONE), sources),
        text: render(&[report], sources, Colour::Never),
    }))
}

/// All reports, rendered like rustc's diagnostics.
fn found(reports: &[CheckReport], more: u64, sources: &Sources) -> String {
    let reports: Vec<Diagnostic> = reports.iter().map(CheckReport::diagnostic).collect();
    let mut text = render(&reports, sources, Colour::Never);
    if more > 0 {
        text += &format!("\n... and {more} findings more\n");
    }
    text
}

/// File, line and column of a position.
fn source(pos: Pos, sources: &Sources) -> (&'static str, u32, u32) {
    match sources.list.get(pos.source as usize) {
        Some(source) if pos.is_known() => (interned(&source.name), pos.line, pos.column),
        _ => ("", 0, 0),
    }
}

/// The name of a file, leaked. There are as many as the program has files with kernels.
fn interned(name: &str) -> &'static str {
    static NAMES: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    let names = names.get_or_insert_default();
    match names.get(name) {
        Some(name) => name,
        None => {
            let name: &'static str = Box::leak(name.to_owned().into_boxed_str());
            names.insert(name);
            name
        }
    }
}

/// The error of a launch on a device that runs no kernels.
pub(crate) fn not_on(accelerator: &Accelerator) -> Error {
    let description = accelerator.description();
    let text = format!("parallel_for_each is not supported on the selected accelerator \"{description}\".");
    Error::Accelerator(text.into())
}

/// The error if elements of `what` are not aligned for the machine's atomic instructions.
pub(crate) fn misaligned(what: &str, size: u64) -> Error {
    let text = format!(
        "the elements of {what} need not begin at a multiple of {size} bytes; only such have atomic operations"
    );
    Error::shape(None, text)
}
