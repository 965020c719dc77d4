//! The interpreter runs a checked kernel and defines its meaning; optional checks report races,
//! out-of-range accesses and reads before a write.
//!
//! `docs/semantics.md` states the same meaning in words. Every other target is tested against this
//! crate. Its priorities are readability, correctness and, third, enough speed for millions of test
//! runs; hence the compilation to bytecode.
//!
//! # Stages of a launch
//! 1. **Validation** ([`Domain::check`], [`validate`](tilewise_ir::launch::validate())) refuses a
//!    launch whose domain or arguments do not fit; nothing runs.
//! 2. **[`bind`]** lays out the memory spaces (the launch's allocations, used in place; then one
//!    each for `tile_static`, constants and private data) and the values that are the same in every
//!    thread: constants, bound views and uniforms, extents of the domain.
//! 3. **[`compile`]** turns the tree of the inlined kernel into flat bytecode ([`code`]). Each
//!    value gets fixed 64-bit slots in the thread's *frame*; a slot is reused after the last use of
//!    its value ([`lifetimes`], [`slots`]). A place becomes a root, a constant offset and a list of
//!    bounds-checked steps ([`place`]); structured control flow becomes jumps.
//! 4. **[`tile`]** runs the tiles one after the other, and the threads of a tile one at a time from
//!    barrier to barrier; at each barrier it checks that all threads arrived at it. A thread that
//!    stops at a barrier has its frame saved; only one frame is active.
//! 5. **[`exec`]** is the bytecode loop. [`place`] computes addresses, [`memory`] reads and writes
//!    bytes, [`views`] makes views, [`fast`] repeats the most common operations of the op table (a
//!    test compares them with their rows).
//! 6. **[`Output`](tilewise_ir::launch::OutputCollector)** collects printed lines and failures, in
//!    an order that does not depend on the order of threads.
//!
//! # Guarantees
//! - The outcome is a function of kernel, domain, memory, arguments and options. Nothing here reads
//!   a clock, an address or a hash; only the caller of [`run_until`] or [`run_in`] can end a launch
//!   from outside.
//! - With fuel, no checked kernel and no arguments cause a panic or a hang. Memory is bounded by
//!   the frames of one tile (a launch that would need more than [`MAX_ARENA`] is refused) and
//!   [`MAX_PRINTED`](tilewise_ir::launch::MAX_PRINTED) bytes of output.
//! - **Fuel** counts instructions: each [`Inst`](tilewise_ir::kernel::Inst) executed costs one. So
//!   that fuel bounds time, other work costs fuel too: one for each start of a thread and of a loop
//!   iteration, one for each 64 bytes of an aggregate copied or declared, and one for each 64 bytes
//!   of `tile_static` cleared (shared among the tile's threads). Fuel is charged for each
//!   straight-line run of instructions at once: a run starts only if there is fuel for all of it.
//!
//! # Checks
//! [`detect`] finds races, out-of-range accesses and reads before a write. It is an observer
//! ([`watch`]), attached if [`Checks`] enable it. Each bytecode instruction has its source position
//! ([`code::ReportTables::pos`]), and each accessed object its name ([`words`]).
//!
//! # Tests of analyses
//! [`observe()`] runs a kernel and reports every instruction and value as an event, through another
//! observer. It adds no code to other launches.

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
    AllocationFacts, Argument, BorrowedMemory, Domain, Ending, LaunchMemory, Outcome, Refusal, validate,
};
use tilewise_ir::stack::with_levels;

/// Limit on the bytes of the frames and private data of one tile.
pub const MAX_ARENA: u64 = 1 << 30;

/// Choices that the meaning of a kernel leaves open: the order of threads, a limit on instructions,
/// the checks.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// The order in which tiles and threads run.
    pub order: ThreadOrder,
    /// Limit on executed instructions, summed over all threads as in [`Outcome::instructions`];
    /// `None` sets no limit.
    pub fuel: Option<u64>,
    /// The checks made while the kernel runs.
    pub checks: Checks,
}

/// The errors that the interpreter detects and reports while a kernel runs. Checks do not change
/// results.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Checks {
    /// Accesses outside a place's extent, and views that do not lie within their source view.
    pub out_of_range: bool,
    /// Unordered accesses of the same bytes by different threads, at least one of them a plain
    /// write.
    pub races: bool,
    /// Reads of local variables and of [fresh](LaunchMemory::fresh) memory that were not written
    /// before.
    pub uninitialised: bool,
    /// Extends [`uninitialised`](Checks::uninitialised) to `tile_static` variables, which are zero
    /// until they are written.
    pub unwritten_tile_memory: bool,
    /// Extends [`races`](Checks::races) to writes of the value that the other thread has already
    /// written.
    pub same_value_writes: bool,
    /// Integer divisions and remainders by zero.
    pub division_by_zero: bool,
    /// Integer arithmetic out of the range of its type, unless a name says what becomes of it.
    pub overflow: bool,
    /// Shifts by the width of the type or more, unless their name says that they wrap.
    pub shifts: bool,
    /// Conversions to integer types that do not have the number.
    pub lossy_conversions: bool,
    /// Whether the first report ends the launch, with
    /// [`Ending::Stopped`].
    pub stop_at_first: bool,
    /// Maximum number of reports kept.
    pub max_reports: usize,
}

/// Default of [`Checks::max_reports`].
const MAX_REPORTS: usize = 100;

impl Default for Checks {
    /// None.
    fn default() -> Checks {
        Checks {
            out_of_range: false,
            races: false,
            uninitialised: false,
            unwritten_tile_memory: false,
            same_value_writes: false,
            division_by_zero: false,
            overflow: false,
            shifts: false,
            lossy_conversions: false,
            stop_at_first: false,
            max_reports: MAX_REPORTS,
        }
    }
}

impl Checks {
    /// All checks that find errors: out of range, races, reads before a write. Writes of the same
    /// value and arithmetic are not reported.
    pub fn all() -> Checks {
        Checks {
            out_of_range: true,
            races: true,
            uninitialised: true,
            unwritten_tile_memory: true,
            ..Checks::default()
        }
    }

    /// Whether any check of arithmetic is enabled.
    pub fn any_arithmetic(&self) -> bool {
        self.division_by_zero || self.overflow || self.shifts || self.lossy_conversions
    }

    /// Whether any check is enabled.
    pub fn any(&self) -> bool {
        self.out_of_range || self.races || self.uninitialised || self.any_arithmetic()
    }
}

/// The order in which tiles run, and in each phase the threads of a tile. A race-free kernel cannot
/// observe it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ThreadOrder {
    /// By linear index.
    #[default]
    Linear,
    /// Shuffled; the same seed gives the same order.
    Shuffled(u64),
}

/// Runs a kernel over a domain, in memory that it modifies.
pub fn run(
    kernel: &Checked<Kernel>,
    domain: &Domain,
    memory: &mut LaunchMemory,
    arguments: &[Argument],
    options: &Options,
) -> Result<Outcome, Refusal> {
    run_inlined(kernel, domain, memory.lend(), arguments, options, None, Reuse::Yes)
}

/// Like [`run`], and polls `interrupt` (about once a millisecond, as long as a thread executes
/// instructions). When it returns true the launch ends with
/// [`Ending::Interrupted`].
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

/// Like [`run_until`], on borrowed allocations, in place.
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

/// Runs a kernel with its calls inlined.
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
    let watched = match options.checks.any_arithmetic() {
        true => compile::Watched::Arithmetic(&options.checks),
        false => compile::Watched::Nothing,
    };
    let code = compile::compile(kernel, bound.plan, reuse, watched)?;
    let meter = Meter::new(options.fuel, interrupt);
    if !options.checks.any() {
        let (outcome, watch::Unwatched) =
            launch(&code, allocations, bound.spaces, options.order, meter, watch::Unwatched);
        return Ok(outcome);
    }
    let detector =
        detect::Detector::new(&options.checks, kernel, &code, &allocations, arguments, bound.spaces[0].len());
    let (mut outcome, detector) = launch(&code, allocations, bound.spaces, options.order, meter, detector);
    if let Some(bytes) = detector.missing() {
        outcome.ending = Ending::OutOfMemory { bytes };
    }
    (outcome.reports, outcome.more_reports) = detector.finish();
    Ok(outcome)
}

/// Runs compiled code, observed by `watch`.
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
