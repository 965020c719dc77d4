//! Kernels without tiles: a plain loop.

use super::running::{RunningThread, ThreadMark};
use super::{Closure, Finish, Interrupt, NativeEnding, Speech, call};
use crate::api::domain::{Domain, Positions};

/// Threads between two polls of `interrupt`.
const PATIENCE: u64 = 256;

/// Runs the closure for every index.
pub(super) fn run<D: Domain>(
    domain: D,
    kernel: Closure<'_, D::Index>,
    speech: &Speech,
    interrupt: &Interrupt,
) -> NativeEnding {
    let mut positions = Positions::new(domain.components());
    let mut thread = 0;
    while let Some(position) = positions.next() {
        if thread % PATIENCE == 0 && interrupt() {
            return NativeEnding::Interrupted;
        }
        let mark = ThreadMark::set(RunningThread::new(thread, speech, interrupt, None));
        let finish = call(kernel, domain.index(position));
        drop(mark);
        match finish {
            Finish::Returned | Finish::Inert => {}
            Finish::Quit => return NativeEnding::Interrupted,
            Finish::Panicked(panic) => return NativeEnding::Panicked(panic),
        }
        thread += 1;
    }
    NativeEnding::Completed
}
