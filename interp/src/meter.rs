//! How long a launch may go on: its fuel, and who may end it from outside.

use super::exec::ThreadStop;
use tilewise_ir::launch::Ending;

/// Instructions between two questions whether the launch is to end: about a millisecond.
const PATIENCE: u64 = 100_000;

/// Counts instructions.
pub(super) struct Meter<'a> {
    /// Instructions executed.
    pub(super) used: u64,
    /// How many may be executed before [`Meter::more`] looks further; never more than there is fuel for.
    until: u64,
    fuel: u64,
    interrupt: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Meter<'a> {
    /// With so much fuel, and a question that is asked from time to time: is the launch to end?
    pub(super) fn new(fuel: Option<u64>, interrupt: Option<&'a dyn Fn() -> bool>) -> Meter<'a> {
        let fuel = fuel.unwrap_or(u64::MAX);
        Meter { used: 0, until: if interrupt.is_some() { 0 } else { fuel }, fuel, interrupt }
    }

    /// Counts the next run of instructions; if it may not begin, says why.
    #[inline(always)]
    pub(super) fn count(&mut self, instructions: u32) -> Option<ThreadStop> {
        self.used += u64::from(instructions);
        if self.used > self.until { self.more(instructions) } else { None }
    }

    #[cold]
    fn more(&mut self, instructions: u32) -> Option<ThreadStop> {
        let stop = if self.used > self.fuel {
            ThreadStop::OutOfFuel
        } else if self.interrupt.is_some_and(|interrupt| interrupt()) {
            ThreadStop::Interrupted
        } else {
            self.until = self.used.saturating_add(PATIENCE).min(self.fuel);
            return None;
        };
        self.used -= u64::from(instructions);
        Some(stop)
    }

    /// How a launch ends that has used up its fuel.
    pub(super) fn out_of_fuel(&self) -> Ending {
        Ending::OutOfFuel { fuel: self.fuel }
    }
}
