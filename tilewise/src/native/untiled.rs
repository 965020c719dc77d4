//! Kernels without tiles: a plain loop.

use super::here::{Here, Mark};
use super::{Closure, Ending, Finish, Speech, call};
use crate::domain::{Domain, Positions};

/// Threads between two questions whether to end.
const PATIENCE: u64 = 256;

/// Runs the closure for every index.
pub(super) fn run<D: Domain>(
    domain: D,
    kernel: Closure<'_, D::Index>,
    speech: &Speech,
    interrupt: &dyn Fn() -> bool,
) -> Ending {
    let mut positions = Positions::new(domain.components());
    let mut thread = 0;
    while let Some(position) = positions.next() {
        if thread % PATIENCE == 0 && interrupt() {
            return Ending::Interrupted;
        }
        let mark = Mark::set(Here { thread, speech: speech.clone(), seat: None });
        let finish = call(kernel, domain.index(position));
        drop(mark);
        match finish {
            Finish::Returned | Finish::Inert => {}
            Finish::Quit => return Ending::Interrupted,
            Finish::Panicked(panic) => return Ending::Panicked(panic),
        }
        thread += 1;
    }
    Ending::Completed
}
