//! The target `native`: runs the closure itself, one thread at a time, in index order.
//!
//! It is what a debugger steps through, and the first oracle of the conformance suite. What only the other forms of a kernel have (checks, wrapping in builds with
//! overflow checks) it does not have: where Rust panics and a kernel would not, the launch ends as [`Panic`]. It runs every kernel that rustc accepts, also one that has no kernel
//! form or does not pass the checker: [`Kernel::prepare`](crate::Kernel::prepare) tells that of a kernel without running it.
//!
//! Kernels without tiles run on the thread that launches. Threads of tiles run on threads of the operating system of their own, as many as wait at a barrier at once (and one for a
//! kernel without barriers), one at a time. Handing the turn on at a barrier costs two system calls, some microseconds: native is for looking, not for speed.
//!
//! `error!`, `abort!`, panics and the end of a diverged launch leave the closure by unwinding. A program that is built with `panic = "abort"` ends there.
//!
//! - [`running`]: what the calling thread runs, for what a closure asks of its launch.
//! - [`untiled`]: a plain loop.
//! - [`tiled`], [`scheduler`]: threads of a tile that can stop in the middle, at a barrier.
//! - [`panics`]: what a panic said, and what a kernel would have done.

mod panics;
pub(crate) mod running;
mod scheduler;
mod tiled;
mod untiled;

use std::panic::{AssertUnwindSafe, Location, catch_unwind};
use std::sync::{Arc, Mutex};

use tilewise_ir::launch::{FailedThreads, OutputCollector, Printed, SideCollector};
use tilewise_ir::stack::with_bytes;

use crate::Error;
use crate::api::domain::Domain;
pub(crate) use panics::Panic;
pub(crate) use running::Variable;

/// A place in the user's source.
pub(crate) type UserPlace = &'static Location<'static>;

/// What is run for each index.
type Closure<'c, I> = &'c (dyn Fn(I) + Sync);

/// What threads say, gathered over a launch.
type Speech = Arc<Mutex<OutputCollector<UserPlace>>>;

/// How a launch ended.
#[derive(Debug)]
pub(crate) enum NativeEnding {
    /// Every thread came to its end.
    Completed,
    /// The threads of a tile did not meet at one barrier.
    Diverged(NativeDivergence),
    /// Rust panicked.
    Panicked(Panic),
    /// It was to end.
    Interrupted,
    /// The machine has too few threads for a tile.
    NoThreads(std::io::Error),
}

/// Threads of one tile that went different ways.
#[derive(Debug)]
pub(crate) struct NativeDivergence {
    /// The linear index of the tile.
    pub(crate) tile: u64,
    /// Threads by the barriers where they stopped; no place is the end of the kernel.
    pub(crate) sides: SideCollector<Option<UserPlace>>,
}

/// What came of a launch.
#[derive(Debug)]
pub(crate) struct NativeEnd {
    pub(crate) ending: NativeEnding,
    pub(crate) printed: Vec<Printed>,
    pub(crate) lost: u64,
    pub(crate) failed: Option<FailedThreads<UserPlace>>,
}

/// Bytes of an element at most: [`stack_of_thread`] has room for copies of it.
const LARGEST_ELEMENT: u64 = 16 << 20;

/// Whether closures can work with elements of this size; if not, why.
pub(crate) fn takes_elements(size: u64) -> Result<(), Error> {
    if size <= LARGEST_ELEMENT {
        return Ok(());
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

/// Runs a kernel over a domain that is in order. `interrupt` is asked from time to time whether to end.
pub(crate) fn run<D: Domain>(
    domain: D,
    kernel: Closure<'_, D::Index>,
    largest_element: u64,
    interrupt: &(dyn Fn() -> bool + Sync),
) -> NativeEnd {
    let speech = Speech::default();
    let stack = stack_of_thread(largest_element);
    let ending = match domain.tile() {
        None => with_bytes(stack, || untiled::run(domain, kernel, &speech, interrupt)),
        Some(tile) => tiled::run(domain, &tile, kernel, stack, &speech, interrupt),
    };
    let output = std::mem::take(&mut *speech.lock().unwrap_or_else(std::sync::PoisonError::into_inner));
    let (printed, lost, failed) = output.finish();
    NativeEnd { ending, printed, lost, failed }
}

/// Adds a line to the output of the launch that the calling thread runs in; without one it comes at once.
pub(crate) fn say(mut text: String) {
    if !running::say(&mut text) {
        crate::api::printed::deliver(&[Printed { thread: 0, text }], 0);
    }
}

/// How the closure ended for one index.
enum Finish {
    /// It came to its end.
    Returned,
    /// By `error!` or `abort!`.
    Inert,
    /// The launch is over, and its threads were told to leave.
    Quit,
    /// Rust panicked.
    Panicked(Panic),
}

/// Runs the closure for one index, on a thread that is [`running`].
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
