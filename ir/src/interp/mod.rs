//! The interpreter: what a kernel means.
//!
//! `docs/semantics.md` says it in words, this module in code; every other target is held against it. It is written to be read and to be right; being
//! fast enough for millions of test runs comes third, and is why it compiles first.
//!
//! # The way of a launch
//! 1. **Checks** ([`Domain::check`], [`check_arguments`]): what does not fit is refused and nothing runs.
//! 2. **[`bind`]** lays out the memory spaces (the launch's pieces, then one each for `tile_static`, constants, private data) and the values that are the
//!    same in every thread: constants, views and uniforms that were bound, extents of the domain.
//! 3. **[`compile`]** turns the tree of the inlined kernel into flat bytecode ([`code`]). Each value gets fixed slots of 64 bits in the thread's
//!    *frame*; slots are used again when a value was used for the last time ([`lifetimes`], [`slots`]). Places become a root, a constant offset and a list of
//!    bounded steps ([`place`]); structure becomes jumps.
//! 4. **[`tile`]** runs the tiles one after the other, and the threads of a tile one at a time from barrier to barrier; at each it judges arrival.
//!    A thread that stops at a barrier has its frame saved; there is one frame only.
//! 5. **[`exec`]** is the loop over bytecode. [`place`] finds addresses, [`memory`] reads and writes bytes, [`views`] makes views, [`fast`] holds the
//!    commonest operations of the op table once more (a test compares them with their rows).
//! 6. **[`output`]** gathers lines and failures, in an order that does not depend on the order of threads.
//!
//! # What is promised
//! - The outcome is a function of kernel, domain, memory, arguments and options. Nothing here looks at a clock, an address or a hash.
//! - No panic and no hang with fuel, whatever a checked kernel and its arguments do. Memory is bounded: frames of one tile (a launch that would need more
//!   than [`MAX_ARENA`] is refused), and [`MAX_PRINTED`](crate::launch::MAX_PRINTED) bytes of output.
//! - **Fuel** counts instructions: each [`Inst`](crate::kernel::Inst) executed is one. So that fuel bounds time, whatever else takes time counts too: each
//!   start of a thread and of a loop's round is one more, and so are each 64 bytes of an aggregate that is copied or declared, and of `tile_static` that
//!   is cleared (these shared out among the tile's threads). Counting is done for straight runs of instructions: a run is begun only if there is fuel
//!   for all of it.
//!
//! # For tests of analyses
//! [`observe`] runs a kernel and tells of every instruction and value as it happens. The code of other launches has nothing of it.
//!
//! # For detectors
//! Races, out-of-range accesses, uninitialised reads will be reported from here. So: each bytecode instruction knows its source position
//! ([`code::Code::pos`]); every access to shared memory passes through [`memory`], every bound through [`place`] or [`views`]; phases and arrival are in
//! [`tile`] alone.

mod bind;
mod code;
mod compile;
mod copy;
mod emit;
mod exec;
mod fast;
mod lifetimes;
mod memory;
mod observe;
mod order;
mod output;
mod place;
mod slots;
#[cfg(test)]
mod tests;
mod tile;
mod views;

use crate::check::Checked;
use crate::kernel::Kernel;
use crate::launch::{Argument, Domain, Memory, Outcome, Refusal, check_arguments};
pub use observe::{Did, Event, observe};
use slots::Reuse;

/// Bytes that the frames and private data of one tile may take.
pub const MAX_ARENA: u64 = 1 << 30;

/// How to run, where the meaning of a kernel leaves a choice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// In which order tiles and threads take their turns.
    pub order: Order,
    /// How many instructions may be executed, counted over all threads as [`Outcome::instructions`] is; without a number the launch may take forever.
    pub fuel: Option<u64>,
}

/// The order in which tiles, and within each phase the threads of a tile, take their turns. A race-free kernel cannot tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// By linear index.
    #[default]
    Linear,
    /// Shuffled, the same way each time for the same seed.
    Shuffled(u64),
}

/// Runs a kernel over a domain, in memory that it changes.
pub fn run(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut Memory,
    arguments: &[Argument],
    options: &Options,
) -> Result<Outcome, Refusal> {
    run_inlined(kernel.inlined(), domain, memory, arguments, options, Reuse::Yes)
}

/// Runs a kernel without calls.
fn run_inlined(
    kernel: &Kernel,
    domain: &Domain,
    memory: &mut Memory,
    arguments: &[Argument],
    options: &Options,
    reuse: Reuse,
) -> Result<Outcome, Refusal> {
    launch(kernel, domain, memory, arguments, options, reuse, None)
}

/// Runs a kernel without calls, watched or not.
fn launch(
    kernel: &Kernel,
    domain: &Domain,
    memory: &mut Memory,
    arguments: &[Argument],
    options: &Options,
    reuse: Reuse,
    mut observer: Option<&mut dyn FnMut(Event)>,
) -> Result<Outcome, Refusal> {
    domain.check(kernel)?;
    check_arguments(kernel, memory, arguments)?;
    let bound = bind::bind(kernel, domain, memory, arguments);
    let code = compile::compile(kernel, bound.plan, reuse, observer.is_some())?;
    let watched = observer.is_some();
    // A borrow that is no longer than that of the code.
    let mut relay = |event: Event| {
        if let Some(observer) = &mut observer {
            observer(event);
        }
    };
    let mut machine = exec::Machine::new(&code, std::mem::take(&mut memory.pieces), bound.spaces, options.fuel);
    machine.observer = watched.then_some(&mut relay);
    let ending = tile::launch(&code, &mut machine, options.order);
    let (pieces, output, instructions) = machine.finish();
    memory.pieces = pieces;
    Ok(output.outcome(ending, instructions))
}
