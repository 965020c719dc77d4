//! The interpreter: what a kernel means.
//!
//! `docs/semantics.md` says it in words, this module in code; every other target is held against it. It is written to be read and to be right; being
//! fast enough for millions of test runs comes third, and is why it compiles first.
//!
//! # The way of a launch
//! 1. **Checks** ([`Domain::check`], [`validate`](tilewise_ir::launch::validate())): what does not fit is
//!    refused and nothing runs.
//! 2. **[`bind`]** lays out the memory spaces (the launch's allocations, used where they are; then
//!    one each for `tile_static`, constants, private data) and the values that are the same in
//!    every thread: constants, views and uniforms that were bound, extents of the domain.
//! 3. **[`compile`]** turns the tree of the inlined kernel into flat bytecode ([`code`]). Each value gets fixed slots of 64 bits in the thread's
//!    *frame*; slots are used again when a value was used for the last time ([`lifetimes`], [`slots`]). Places become a root, a constant offset and a list of
//!    bounded steps ([`place`]); structure becomes jumps.
//! 4. **[`tile`]** runs the tiles one after the other, and the threads of a tile one at a time from barrier to barrier; at each it judges arrival.
//!    A thread that stops at a barrier has its frame saved; there is one frame only.
//! 5. **[`exec`]** is the loop over bytecode. [`place`] finds addresses, [`memory`] reads and writes bytes, [`views`] makes views, [`fast`] holds the
//!    commonest operations of the op table once more (a test compares them with their rows).
//! 6. **[`Output`](tilewise_ir::launch::OutputCollector)** gathers lines and failures, in an order that does not depend on the order of threads.
//!
//! # What is promised
//! - The outcome is a function of kernel, domain, memory, arguments and options. Nothing here looks at a clock, an address or a hash; only who asks for a
//!   launch by [`run_until`] may end it from outside.
//! - No panic and no hang with fuel, whatever a checked kernel and its arguments do. Memory is bounded: frames of one tile (a launch that would need more
//!   than [`MAX_ARENA`] is refused), and [`MAX_PRINTED`](tilewise_ir::launch::MAX_PRINTED) bytes of output.
//! - **Fuel** counts instructions: each [`Inst`](tilewise_ir::kernel::Inst) executed is one. So that fuel bounds time, whatever else takes time counts too: each
//!   start of a thread and of a loop's round is one more, and so are each 64 bytes of an aggregate that is copied or declared, and of `tile_static` that
//!   is cleared (these shared out among the tile's threads). Counting is done for straight runs of instructions: a run is begun only if there is fuel
//!   for all of it.
//!
//! # Checks
//! Races, out-of-range accesses and reads before a write are found by [`detect`], which looks on ([`watch`]) if [`Checks`] ask for it. Each bytecode
//! instruction knows its source position ([`code::Bytecode::pos`]), and what it accesses knows its name ([`words`]).
//!
//! # For tests of analyses
//! [`observe()`] runs a kernel and tells of every instruction and value as it happens, by another watcher. The code of other launches has nothing of it.

mod bind;
mod code;
mod compile;
mod copy;
mod detect;
mod emit;
mod exec;
mod fast;
mod lifetimes;
mod memory;
mod meter;
mod observe;
mod order;
mod place;
mod slots;
#[cfg(test)]
mod tests;
mod tile;
mod views;
mod watch;
mod words;

use memory::ByteSpace;
use meter::Meter;
pub use observe::{Event, ObservedAct, observe};
use slots::Reuse;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::Kernel;
use tilewise_ir::launch::{
    AllocationFacts, Argument, BorrowedMemory, Domain, LaunchMemory, Outcome, Refusal, validate,
};
use tilewise_ir::stack::with_levels;

/// Bytes that the frames and private data of one tile may take.
pub const MAX_ARENA: u64 = 1 << 30;

/// How to run, where the meaning of a kernel leaves a choice.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// In which order tiles and threads take their turns.
    pub order: ThreadOrder,
    /// How many instructions may be executed, counted over all threads as [`Outcome::instructions`] is; without a number the launch may take forever.
    pub fuel: Option<u64>,
    /// What is looked for meanwhile.
    pub checks: Checks,
}

/// What the interpreter looks for while a kernel runs, and reports. Results are the same with and without.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Accesses outside a place's extent, and views that are not within the one they are made from.
    pub out_of_range: bool,
    /// Accesses of the same bytes by threads that nothing orders, one of them a plain write.
    pub races: bool,
    /// Reads of `tile_static` and local variables and of [fresh](LaunchMemory::fresh) memory that were not written before.
    pub uninitialised: bool,
    /// Of [`races`](Checks::races): also writes of the value that the other thread has written already.
    pub same_value_writes: bool,
    /// Does the first report end the launch, with [`Ending::Stopped`](tilewise_ir::launch::Ending::Stopped)?
    pub stop_at_first: bool,
    /// How many reports are kept.
    pub max_reports: usize,
}

/// Reports that are kept unless another number is asked for.
const MAX_REPORTS: usize = 100;

impl Default for Checks {
    /// None.
    fn default() -> Checks {
        Checks {
            out_of_range: false,
            races: false,
            uninitialised: false,
            same_value_writes: false,
            stop_at_first: false,
            max_reports: MAX_REPORTS,
        }
    }
}

impl Checks {
    /// All that say something is wrong: out of range, races, reads before a write. Writes of the same value are left alone.
    pub fn all() -> Checks {
        Checks { out_of_range: true, races: true, uninitialised: true, ..Checks::default() }
    }

    /// Is anything looked for?
    pub fn any(&self) -> bool {
        self.out_of_range || self.races || self.uninitialised
    }
}

/// The order in which tiles, and within each phase the threads of a tile, take their turns. A race-free kernel cannot tell.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThreadOrder {
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
    memory: &mut LaunchMemory,
    arguments: &[Argument],
    options: &Options,
) -> Result<Outcome, Refusal> {
    run_inlined(kernel, domain, memory.lend(), arguments, options, None, Reuse::Yes)
}

/// As [`run`], and asks from time to time (about each millisecond, as long as a thread executes instructions) whether the launch is to end; it then ends with
/// [`Ending::Interrupted`](tilewise_ir::launch::Ending::Interrupted).
pub fn run_until(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut LaunchMemory,
    arguments: &[Argument],
    options: &Options,
    interrupt: &dyn Fn() -> bool,
) -> Result<Outcome, Refusal> {
    run_inlined(kernel, domain, memory.lend(), arguments, options, Some(interrupt), Reuse::Yes)
}

/// As [`run_until`], in allocations of somebody else, where they are.
pub fn run_in(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    allocations: Vec<BorrowedMemory<'_>>,
    arguments: &[Argument],
    options: &Options,
    interrupt: &dyn Fn() -> bool,
) -> Result<Outcome, Refusal> {
    run_inlined(kernel, domain, allocations, arguments, options, Some(interrupt), Reuse::Yes)
}

/// Runs a kernel, its calls inlined.
fn run_inlined(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    allocations: Vec<BorrowedMemory<'_>>,
    arguments: &[Argument],
    options: &Options,
    interrupt: Option<&dyn Fn() -> bool>,
    reuse: Reuse,
) -> Result<Outcome, Refusal> {
    let run = || run_on_this_stack(kernel, domain, allocations, arguments, options, interrupt, reuse);
    with_levels(kernel.inlined().levels(), run)
}

fn run_on_this_stack(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    allocations: Vec<BorrowedMemory<'_>>,
    arguments: &[Argument],
    options: &Options,
    interrupt: Option<&dyn Fn() -> bool>,
    reuse: Reuse,
) -> Result<Outcome, Refusal> {
    domain.check(kernel)?;
    let facts = |memory: &BorrowedMemory<'_>| AllocationFacts::of_offsets(memory.size());
    validate(kernel, arguments, |allocation| allocations.get(allocation).map(facts))?;
    let kernel = kernel.inlined();
    let bound = bind::bind(kernel, domain, allocations.len(), arguments);
    let code = compile::compile(kernel, bound.plan, reuse, false)?;
    let meter = Meter::new(options.fuel, interrupt);
    if !options.checks.any() {
        let (outcome, watch::Unwatched) =
            launch(&code, allocations, bound.spaces, options.order, meter, watch::Unwatched);
        return Ok(outcome);
    }
    let detector =
        detect::Detector::new(&options.checks, kernel, &code, &allocations, arguments, bound.spaces[0].len());
    let (mut outcome, detector) = launch(&code, allocations, bound.spaces, options.order, meter, detector);
    (outcome.reports, outcome.more_reports) = detector.finish();
    Ok(outcome)
}

/// Runs compiled code, with somebody looking on.
fn launch<W: watch::LaunchWatch>(
    code: &code::Bytecode,
    allocations: Vec<BorrowedMemory<'_>>,
    behind: [Vec<u8>; 3],
    order: ThreadOrder,
    meter: Meter<'_>,
    watch: W,
) -> (Outcome, W) {
    let spaces = allocations.into_iter().map(ByteSpace::of).chain(behind.into_iter().map(ByteSpace::Own)).collect();
    let mut machine = exec::RunningLaunch::new(code, spaces, meter, watch);
    let ending = tile::launch(code, &mut machine, order);
    let (output, instructions, watch) = machine.finish();
    (output.outcome(ending, instructions), watch)
}
