//! The target `reference`: the interpreter, in place, in the memory that a launch holds.

use tilewise_ir::interp::{self, Options};
use tilewise_ir::launch::{Argument, Domain, Outcome};
use tilewise_ir::lower::uniform_bytes;

use crate::accelerator::Checks;
use crate::fit::fitting;
use crate::form::{Binder, Item};
use crate::home::launch::Locked;
use crate::program::Program;
use crate::{Result, fault};

/// Runs a program over a domain that is in order. `interrupt` is asked from time to time whether to end.
pub(crate) fn run(
    program: &Program,
    components: &[i32],
    binder: &Binder<'_>,
    locked: &mut Locked<'_>,
    checks: Checks,
    interrupt: &dyn Fn() -> bool,
) -> Result<Outcome> {
    let kernel = program.kernel();
    let arguments: Vec<Argument> = fitting(program, binder)?
        .map(|(param, item)| match item {
            Item::View(view) => Argument::View(locked.argument(view)),
            Item::Value(leaves) => Argument::Uniform(uniform_bytes(kernel, param, &binder.leaves[leaves.clone()])),
        })
        .collect();
    let options = Options {
        checks: interp::Checks {
            out_of_range: checks.bounds,
            races: checks.races,
            uninitialised: checks.uninitialized,
            same_value_writes: checks.same_value_writes,
            stop_at_first: checks.stop_at_first,
            ..interp::Checks::default()
        },
        ..Options::default()
    };
    let domain = Domain::new(components);
    interp::run_in(kernel, &domain, locked.places(), &arguments, &options, interrupt).map_err(fault::refused)
}
