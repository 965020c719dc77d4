//! The kernel thread that the calling OS thread runs, and the services that a kernel's closure
//! requests from its launch.
//!
//! An OS thread that runs closures sets a mark before each and removes it afterwards, so that user
//! code that is not a kernel never sees it.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::mem::ManuallyDrop;
use std::panic::{Location, resume_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, PoisonError};

use super::scheduler::TileScheduler;
use super::{Interrupt, Speech};
use crate::kernel::macro_support::Declared;

thread_local! {
    /// Without a destructor, so that destructors of other thread-local variables may launch
    /// kernels: [`ThreadMark`] empties it.
    static HERE: ManuallyDrop<RefCell<Option<RunningThread>>> = const { ManuallyDrop::new(RefCell::new(None)) };
}

/// The kernel thread that an OS thread is running.
pub(super) struct RunningThread {
    /// The linear index of the kernel's thread in the domain.
    pub(super) thread: u64,
    pub(super) speech: Speech,
    /// Set in a launch over tiles.
    seat: Option<TilePlace>,
    interrupt: Interrupt,
    /// Iterations of loops since it was asked last.
    iterations: u32,
}

impl RunningThread {
    pub(super) fn new(thread: u64, speech: &Speech, interrupt: &Interrupt, seat: Option<TilePlace>) -> Self {
        RunningThread { thread, speech: speech.clone(), seat, interrupt: interrupt.clone(), iterations: 0 }
    }
}

/// Launches on `native` in the process: outside of them a loop asks nothing else.
static LAUNCHES: AtomicU32 = AtomicU32::new(0);

/// A launch that is running, until it is dropped.
pub(super) struct LaunchMark(());

impl LaunchMark {
    pub(super) fn set() -> LaunchMark {
        LAUNCHES.fetch_add(1, Ordering::Relaxed);
        LaunchMark(())
    }
}

impl Drop for LaunchMark {
    fn drop(&mut self) {
        LAUNCHES.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Iterations of loops between two polls of `interrupt`.
const PATIENCE: u32 = 1024;

/// Is there a launch on `native`, of any thread?
#[inline(always)]
pub(crate) fn has_launches() -> bool {
    LAUNCHES.load(Ordering::Relaxed) != 0
}

/// An iteration of a loop in a closure begins: leaves the closure if the launch is over.
#[inline(always)]
pub(crate) fn iteration() {
    if has_launches() {
        iteration_of_a_launch();
    }
}

#[inline(never)]
pub(crate) fn iteration_of_a_launch() {
    let is_over = HERE.with(|here| {
        let mut here = here.borrow_mut();
        let Some(thread) = &mut *here else { return false };
        thread.iterations += 1;
        if thread.iterations < PATIENCE {
            return false;
        }
        thread.iterations = 0;
        (thread.interrupt)()
    });
    if is_over && !std::thread::panicking() {
        resume_unwind(Box::new(LeavePayload::Quit));
    }
}

/// The place of a thread in its tile.
#[derive(Clone)]
pub(super) struct TilePlace {
    pub(super) floor: Arc<TileScheduler>,
    /// The number of the worker that runs it.
    pub(super) worker: usize,
    /// The linear index in the tile.
    pub(super) local: u32,
}

/// The panic payload that unwinds a thread out of the closure.
pub(super) enum LeavePayload {
    /// It ended by `error!` or `abort!`.
    Inert,
    /// The launch is over.
    Quit,
}

/// Marks the calling thread as running a kernel's thread, until it is dropped.
pub(super) struct ThreadMark(());

impl ThreadMark {
    pub(super) fn set(here: RunningThread) -> ThreadMark {
        HERE.with(|place| place.replace(Some(here)));
        ThreadMark(())
    }
}

impl Drop for ThreadMark {
    fn drop(&mut self) {
        HERE.with(|place| place.take());
    }
}

/// Whether the calling thread runs a kernel.
pub(crate) fn inside() -> bool {
    HERE.with(|here| here.borrow().is_some())
}

/// Runs a function as a kernel's thread.
#[cfg(test)]
pub(crate) fn as_a_kernel<R>(run: impl FnOnce() -> R) -> R {
    let never: Interrupt = Arc::new(|| false);
    let _mark = ThreadMark::set(RunningThread::new(0, &Speech::default(), &never, None));
    run()
}

/// Adds a line to the launch's output. Returns false outside a launch.
pub(crate) fn say(text: &mut String) -> bool {
    HERE.with(|here| match &*here.borrow() {
        Some(here) => {
            let text = std::mem::take(text);
            here.speech.lock().unwrap_or_else(PoisonError::into_inner).print(here.thread, text);
            true
        }
        None => false,
    })
}

/// Ends the kernel's thread; without a message for `abort!`.
#[track_caller]
pub(crate) fn fail(message: Option<String>) -> ! {
    let at = Location::caller();
    let inside = HERE.with(|here| match &*here.borrow() {
        Some(here) => {
            here.speech.lock().unwrap_or_else(PoisonError::into_inner).fail(here.thread, message.clone(), at);
            true
        }
        None => false,
    });
    if inside {
        resume_unwind(Box::new(LeavePayload::Inert));
    }
    match message {
        Some(message) => panic!("{message}"),
        None => panic!("abort! outside a launch"),
    }
}

/// Waits for the threads of the tile. Returns false outside a launch over tiles.
#[track_caller]
pub(crate) fn barrier() -> bool {
    let Some(seat) = HERE.with(|here| here.borrow().as_ref()?.seat.clone()) else { return false };
    if !seat.floor.arrive(seat.worker, seat.local, Location::caller()) && !std::thread::panicking() {
        resume_unwind(Box::new(LeavePayload::Quit));
    }
    true
}

/// A `tile_static` variable of a kernel, identified by the address of its declaration.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Variable(usize);

impl Variable {
    pub(crate) fn of(declared: &'static Declared) -> Variable {
        Variable(std::ptr::from_ref(declared).addr())
    }
}

/// The `tile_static` variables of a tile. Each instance of a generic function has its own.
pub(super) type Variables = HashMap<(Variable, TypeId), Box<dyn Any + Send>>;

/// Accesses a variable of the tile, which is zero when the tile begins; `None` outside a launch
/// over tiles. `access` must not call this function, so it runs no code of the user's.
pub(crate) fn with_tile_static<T: Send + 'static, R>(
    variable: Variable,
    zero: fn() -> T,
    access: impl FnOnce(&mut T) -> R,
) -> Option<R> {
    let floor = HERE.with(|here| here.borrow().as_ref()?.seat.as_ref().map(|seat| seat.floor.clone()))?;
    let mut variables = floor.variables.lock().unwrap_or_else(PoisonError::into_inner);
    let slot = variables.entry((variable, TypeId::of::<T>())).or_insert_with(|| Box::new(zero()));
    slot.downcast_mut().map(access)
}
