//! Limits on the length of a launch: fuel, and interruption by the caller.

use super::exec::ThreadStop;
use tilewise_ir::launch::Ending;

/// Instructions between two polls of `interrupt`: about a millisecond.
const PATIENCE: u64 = 100_000;

/// Counts instructions.
pub(super) struct Meter<'a> {
    /// Instructions executed.
    pub(super) used: u64,
    /// Limit on `used` until the next call of [`Meter::more`]; at most the fuel.
    until: u64,
    fuel: u64,
    interrupt: Option<&'a dyn Fn() -> bool>,
}

impl<'a> Meter<'a> {
    /// A meter with this fuel, and a callback that it polls: should the launch end?
    pub(super) fn new(fuel: Option<u64>, interrupt: Option<&'a dyn Fn() -> bool>) -> Meter<'a> {
        let fuel = fuel.unwrap_or(u64::MAX);
        Meter { used: 0, until: if interrupt.is_some() { 0 } else { fuel }, fuel, interrupt }
    }

    /// Counts the next run of instructions; returns the reason if the run must not start.
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

    /// The ending of a launch that has run out of fuel.
    pub(super) fn out_of_fuel(&self) -> Ending {
        Ending::OutOfFuel { fuel: self.fuel }
    }
}
