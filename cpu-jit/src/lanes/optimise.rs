//! [`optimise`]: the passes, in order.

use super::{
    LaneProgram, VectorMachine, choose_in_arms, dying_factors_first, estimate, fuse, fuse_exact, hoist_loads, jam_rows,
    join_narrow_rows, leave, move_values_late, prefetch, promote, read_own_runs, remove_dead, run_offsets,
    share_addresses, shorten_counted, split, version,
};

/// What a program is optimised for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct OptimiseGoals {
    /// The machine whose code is made of it.
    pub machine: VectorMachine,
    /// May a product and a sum be fused into one operation with one rounding, and quotients by roots
    /// be estimated?
    pub relaxed: bool,
    /// Do passes run that make code long: is tile memory kept in registers where no tile then needs
    /// it, are rows executed together?
    pub longer: bool,
}

impl OptimiseGoals {
    /// Vectors of 128 bits, the interpreter's results, short code.
    pub const PLAIN: OptimiseGoals = OptimiseGoals { machine: VectorMachine::BITS_128, relaxed: false, longer: false };
    /// As much as passes do for any machine, with the interpreter's results: for tests.
    pub const MOST: OptimiseGoals = OptimiseGoals { machine: VectorMachine::BITS_512, relaxed: false, longer: true };
}

/// Runs the passes on a program that [`vectorize`](crate::vectorize) has built.
pub fn optimise(program: &mut LaneProgram, goals: &OptimiseGoals) {
    // A variable that is declared before a loop with barriers is carried to each region, also where it is
    // overwritten: one such load would keep the tile's memory, one such scalar the order of strips.
    remove_dead(program);
    split(program, goals.machine);
    if goals.longer {
        promote(program);
    }
    version(program);
    if goals.longer {
        jam_rows(program, goals.machine);
    }
    share_addresses(program);
    remove_dead(program);
    let mut changed = join_narrow_rows(program);
    changed |= leave(program);
    changed |= choose_in_arms(program);
    changed |= shorten_counted(program);
    if goals.relaxed {
        if goals.machine.estimates_roots {
            estimate(program);
        }
        fuse(program);
        changed = true;
    }
    // Code with lanes is made only for processors that fuse.
    if goals.machine.fuses() || program.width > 1 {
        changed |= fuse_exact(program);
    }
    if changed {
        remove_dead(program);
    }
    if goals.machine == VectorMachine::BITS_128 {
        dying_factors_first(program);
    }
    hoist_loads(program, goals.machine);
    read_own_runs(program, goals.machine, goals.longer);
    // Cranelift computes values late by itself.
    if goals.machine != VectorMachine::BITS_128 {
        move_values_late(program);
    }
    prefetch(program);
    run_offsets(program);
}
