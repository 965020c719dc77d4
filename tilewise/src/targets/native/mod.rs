//! The target `native`: runs the closure itself, one thread at a time, in index order.
//!
//! It serves debuggers, and is the first oracle of the conformance suite. It lacks the checks and
//! the wrapping arithmetic (in builds with overflow checks) of the other targets: where Rust panics
//! and a kernel would not, the launch ends as [`Panic`]. A kernel that the checker rejects is refused
//! before it runs, as on every target.
//!
//! Kernels without tiles run on the launching thread. The threads of tiles run on OS threads of
//! their own, one at a time: as many OS threads as wait at a barrier at once (and one for a kernel
//! without barriers). A switch at a barrier costs two system calls, some microseconds: `native` is
//! for debugging, not for speed.
//!
//! A launch ends at its time limit, or when it is cancelled, between two threads, at a barrier, and in
//! a loop of a closure: the macros write a call of [`running::iteration`] into each.
//!
//! `error!`, `abort!`, panics and the end of a diverged launch leave the closure by unwinding. A
//! program that is built with `panic = "abort"` ends there.
//!
//! - [`running`]: the kernel thread of the calling OS thread, for requests of a closure to its
//!   launch
//! - [`untiled`]: a plain loop
//! - [`tiled`], [`scheduler`]: threads of a tile, which can block at a barrier
//! - [`panics`]: the message of a panic, and the kernel's behaviour in its place

mod panics;
pub(crate) mod running;
mod scheduler;
mod tiled;
mod untiled;

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::{Arc, Mutex};
use std::thread::{self, ScopedJoinHandle};

use tilewise_ir::launch::{FailedThreads, OutputCollector, Printed, SideCollector};
use tilewise_ir::stack::{NoStack, has_room, unwind, with_bytes};

use crate::Error;
use crate::api::domain::Domain;
pub(crate) use panics::Panic;
pub(crate) use running::Variable;

/// A position in the user's source.
pub(crate) type UserPlace = &'static Location<'static>;

/// The closure that runs for each index.
type Closure<'c, I> = &'c (dyn Fn(I) + Sync);

/// The output of the threads, collected over a launch.
type Speech = Arc<Mutex<OutputCollector<UserPlace>>>;

/// The way in which a launch ended.
#[derive(Debug)]
pub(crate) enum NativeEnding {
    /// Every thread returned.
    Completed,
    /// The threads of a tile did not meet at one barrier.
    Diverged(NativeDivergence),
    /// The closure panicked.
    Panicked(Panic),
    /// It reached its limit or was cancelled.
    Interrupted,
    /// The system provides too few OS threads for a tile.
    NoThreads(std::io::Error),
}

/// The divergence of the threads of one tile.
#[derive(Debug)]
pub(crate) struct NativeDivergence {
    /// The linear index of the tile.
    pub(crate) tile: u64,
    /// Threads grouped by the barriers where they stopped; `None` is the end of the kernel.
    pub(crate) sides: SideCollector<Option<UserPlace>>,
}

/// The result of a launch.
#[derive(Debug)]
pub(crate) struct NativeEnd {
    pub(crate) ending: NativeEnding,
    pub(crate) printed: Vec<Printed>,
    pub(crate) lost: u64,
    pub(crate) failed: Option<FailedThreads<UserPlace>>,
}

/// Bytes of an element at most: [`stack_of_thread`] has room for copies of it.
const LARGEST_ELEMENT: u64 = 16 << 20;

/// Whether closures can work with elements of this size here; if not, why.
pub(crate) fn takes_elements(size: u64) -> Result<(), Error> {
    if size <= LARGEST_ELEMENT {
        let stack = stack_of_thread(size);
        return if has_room(stack) { Ok(()) } else { Err(Error::OutOfMemory(stack as u64)) };
    }
    let text = format!(
        "the kernel has a view with elements of {size} bytes: on `native` closures copy elements to their stack, \
         which has room for elements of at most {LARGEST_ELEMENT} bytes; take another accelerator or smaller elements"
    );
    Err(Error::UnsupportedFeature(text.into()))
}

/// Stack of a thread, in bytes. A kernel has at most 64 KiB of private data, of which builds without
/// optimisation keep several copies; a closure that uses part of an element copies all of it.
fn stack_of_thread(largest_element: u64) -> usize {
    const USUAL: u64 = 2 << 20;
    const COPIES: u64 = 12;
    (USUAL + largest_element * COPIES) as usize
}

/// Whether the launch is to end: asked from time to time, in the loops of closures too.
pub(crate) type Interrupt = Arc<dyn Fn() -> bool + Send + Sync>;

/// Runs a kernel over a domain that is in order.
pub(crate) fn run<D: Domain>(
    domain: D,
    kernel: Closure<'_, D::Index>,
    largest_element: u64,
    interrupt: Interrupt,
) -> NativeEnd {
    let speech = Speech::default();
    let stack = stack_of_thread(largest_element);
    let _launch = running::LaunchMark::set();
    let ending = match domain.tile() {
        // A thread that unwinds cannot tell a panic of the closure from its own, which may be no reason to
        // leave a loop; a thread of its own does not unwind.
        None if thread::panicking() => thread::scope(|scope| {
            let run = || untiled::run(domain, kernel, &speech, &interrupt);
            let hired =
                thread::Builder::new().name("tilewise native".into()).stack_size(stack).spawn_scoped(scope, run);
            match hired.map(ScopedJoinHandle::join) {
                Ok(Ok(ending)) => ending,
                Ok(Err(payload)) => NativeEnding::Panicked(panics::panic_of(payload)),
                Err(_) => unwind(NoStack { bytes: stack }),
            }
        }),
        None => with_bytes(stack, || untiled::run(domain, kernel, &speech, &interrupt)),
        Some(tile) => tiled::run(domain, &tile, kernel, stack, &speech, &interrupt),
    };
    let output = std::mem::take(&mut *speech.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    let (printed, lost, failed) = output.finish();
    NativeEnd { ending, printed, lost, failed }
}

/// Adds a line to the output of the launch that the calling thread runs; outside a launch the line
/// is printed at once.
pub(crate) fn say(mut text: String) {
    if !running::say(&mut text) {
        crate::api::printed::deliver(&[Printed { thread: 0, text }], 0);
    }
}

/// The way in which the closure ended for one index.
enum Finish {
    /// It returned.
    Returned,
    /// By `error!` or `abort!`.
    Inert,
    /// The launch is over, and its threads must leave.
    Quit,
    /// It panicked.
    Panicked(Panic),
}

/// Runs the closure for one index, on a thread with a mark (see [`running`]).
fn call<I>(kernel: Closure<'_, I>, index: I) -> Finish {
    let run = AssertUnwindSafe(|| kernel(index));
    match catch_unwind(run) {
        Ok(()) => Finish::Returned,
        Err(payload) => match payload.downcast::<running::LeavePayload>() {
            Ok(leave) => match *leave {
                running::LeavePayload::Inert => Finish::Inert,
                running::LeavePayload::Quit => Finish::Quit,
            },
            Err(payload) => Finish::Panicked(panics::panic_of(payload)),
        },
    }
}
