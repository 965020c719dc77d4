//! The target `reference`: the interpreter, in place, in the memory that a launch holds.

use tilewise_interp::{self as interp, Options};
use tilewise_ir::launch::{Domain, Outcome};

use crate::api::accelerator::Checks;
use crate::kernel::macro_support::LaunchBinder;
use crate::kernel::program::LoweredProgram;
use crate::memory::launch::Locked;
use crate::targets::arguments::arguments;
use crate::{Result, targets::fault};

/// Runs a program over a valid domain. `interrupt` is polled; if it returns true, the launch ends.
pub(crate) fn run(
    program: &LoweredProgram,
    components: &[i32],
    binder: LaunchBinder<'_>,
    locked: &mut Locked<'_>,
    checks: Checks,
    interrupt: &dyn Fn() -> bool,
) -> Result<Outcome> {
    let arguments = arguments(program, binder, locked)?;
    let options = Options {
        checks: interp::Checks {
            out_of_range: checks.bounds,
            races: checks.races,
            uninitialised: checks.uninitialized || checks.unwritten,
            unwritten_tile_memory: checks.unwritten,
            same_value_writes: checks.same_value_writes,
            division_by_zero: checks.division_by_zero,
            overflow: checks.overflow,
            shifts: checks.shifts,
            lossy_conversions: checks.lossy_conversions,
            stop_at_first: checks.stop_at_first,
            ..interp::Checks::default()
        },
        ..Options::default()
    };
    let domain = Domain::new(components);
    let lent = locked.lend(checks.unwritten)?;
    interp::run_in(program.kernel(), &domain, lent, &arguments, &options, interrupt).map_err(fault::refused)
}
