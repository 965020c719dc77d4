//! Vectorizes a checked kernel into a lane program: barrier regions, masks, value shapes,
//! addresses.
//!
//! [`vectorize`] is the only public entry point. Its result depends on the kernel and on a
//! [`CodeKey`]: the launch properties that are worth specialising code for.
//!
//! - `state`: the `Vectorizer`, the state shared by the other modules;
//! - `locals`, `live`, `tree`: facts gathered before the traversal; `bits`: their bit sets;
//! - `nest`: the loops over tiles, rows and strips;
//! - `control`, `repeat`, `merge`, `current`: branches, loops, control-flow joins, and the values between;
//! - `unroll`: loops of few iterations;
//! - `value`, `comp`: operations on components of values; `usual`: values that are affine in nearly
//!   all strips;
//! - `access`, `place`, `view`: memory accesses and bounds checks; `one_place`: atomics of all lanes at one place;
//! - `message`: `print`, `error` and `abort`;
//! - `tile`: tiles with barriers, `cross`: how values are carried across them, `regions`: these as text.

mod access;
mod bits;
mod comp;
mod control;
mod cross;
mod current;
mod live;
mod locals;
mod merge;
mod message;
mod nest;
mod one_place;
mod place;
mod regions;
mod repeat;
#[cfg(test)]
mod samples;
mod state;
mod tile;
mod tree;
mod unroll;
mod usual;
mod value;
mod view;

pub(crate) use regions::regions;

use tilewise_ir::analysis::barrier_regions::BarrierRegions;
use tilewise_ir::analysis::exit_levels::exit_levels;
use tilewise_ir::analysis::plain_atomics::AtomicResults;
use tilewise_ir::analysis::tile_memory::must_clear;
use tilewise_ir::analysis::view_origins::ViewOrigins;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{Kernel, TileVar};
use tilewise_ir::stack::with_levels;

use crate::lanes::{ArenaSizes, LaneProgram, OptimiseGoals, optimise};

/// The properties a lane program is specialised for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodeKey {
    /// Lanes: 1, 4, 8, 16, 32 or 64.
    pub width: u32,
    /// Does every view span less than 2^31 bytes? Lane offsets then fit in 32 bits.
    pub small: bool,
    /// Is the domain one long row, and so is every view indexed by the thread's whole position?
    pub flat: bool,
    /// One entry per parameter of the kernel, in order.
    pub params: Vec<ParamSpec>,
    /// For each allocation, whether the launch may write to it.
    pub writable: Vec<bool>,
    /// The choices that passes make for the launch and its machine.
    pub goals: OptimiseGoals,
    /// Checks left out, to measure their cost.
    pub without: Without,
    /// Does the launch write so much that its stores should bypass the caches?
    pub streams: bool,
}

impl CodeKey {
    /// A key for `params` parameters that are all writable, small, non-overlapping views without
    /// gaps.
    pub fn apart(width: u32, params: usize) -> CodeKey {
        CodeKey {
            width,
            small: true,
            flat: false,
            params: (0..params).map(|param| ParamSpec { allocation: param as u16, unit: true }).collect(),
            writable: vec![true; params],
            goals: OptimiseGoals::PLAIN,
            without: Without::default(),
            streams: false,
        }
    }
}

/// Checks that can be left out of a program, to measure their cost.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Without {
    /// No bounds checks: every access must be in range.
    pub checks: bool,
    /// No loop polls whether the launch is to end.
    pub polls: bool,
}

/// Compile-time facts about a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParamSpec {
    /// The number of the allocation that a view or a buffer lies in, among those of the launch in
    /// order of first use: arguments that may overlap share one. 0 for uniforms.
    pub allocation: u16,
    /// A view: does its last dimension have unit stride?
    pub unit: bool,
}

/// The reason a kernel has no lane program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unformed(pub String);

/// Builds the lane program of a kernel.
pub fn vectorize(kernel: &Checked<Kernel>, key: &CodeKey) -> Result<LaneProgram, Unformed> {
    let levels = exit_levels(kernel).map_err(Unformed)?;
    with_levels(levels, || formed(kernel, key))
}

fn formed(kernel: &Checked<Kernel>, key: &CodeKey) -> Result<LaneProgram, Unformed> {
    let (precise_sources, library_sources) = (kernel.precise_sources(), kernel.library_sources());
    let promises = kernel.promises();
    let (kernel, facts) = (kernel.inlined(), kernel.facts());
    access::count_copied(kernel)?;
    let locals = locals::Locals::of(kernel, facts);
    let input = state::VectorizerInput {
        kernel,
        function: kernel.entry(),
        context: kernel.context(kernel.entry()),
        facts,
        origins: ViewOrigins::of(kernel),
        key,
        live: live::Live::of(kernel, &locals),
        shape: tree::InstTree::of(kernel, &locals),
        locals,
        regions: BarrierRegions::of(kernel),
        atomic_results: AtomicResults::of(kernel),
        library_sources,
    };
    let (tile_vars, tile_static) = place_tile_vars(kernel);
    let private = input.locals.private() * u64::from(key.width);
    let here = nest::CodePosition { private, tile_vars, ..nest::CodePosition::default() };
    let mut former = state::Vectorizer::new(&input, here);
    former.params()?;
    let regions = &input.regions;
    if regions.any() {
        former.prepare_tile(cross::RegionLiveness::of(kernel, facts, &input.locals, regions));
    }
    match kernel.tile() {
        None => former.untiled()?,
        Some(_) => former.tiled(&must_clear(kernel, facts))?,
    }
    let mut arena = ArenaSizes { tile_static, private, ..ArenaSizes::default() };
    if regions.any() {
        let strips = nest::Strips::of(kernel.tile().unwrap_or(&[]), key.width).all();
        arena.private = private * u64::from(strips);
        arena.context = former.tile.slots.context * u64::from(strips * key.width);
        arena.votes = former.votes_size();
    }
    let (tables, divergence, short_loops) = (former.tables, former.tile.divergence, former.short_loops);
    let mut program = former.b.finish(kernel.name().into(), arena);
    program.copies = tables.copies;
    program.messages = tables.messages;
    program.notes = tables.notes.into_values().collect();
    program.stops = divergence.stops;
    program.vote_words = divergence.vote_words;
    program.doubtful = divergence.doubtful;
    program.precise_sources = precise_sources;
    program.promises = promises.into_iter().map(|(pos, promise)| (pos.key(), promise)).collect();
    program.streams = key.streams;
    program.short_loops = short_loops;
    program.writable.clone_from(&key.writable);
    optimise(&mut program, &key.goals);
    Ok(program)
}

/// The byte offset of each `tile_static` variable, and the size of all: each is aligned for the
/// longest vector.
fn place_tile_vars(kernel: &Kernel) -> (Vec<u64>, u64) {
    let mut end = 0;
    let place = |var: &TileVar| {
        let start = end;
        end = (start + kernel.types().size(var.ty)).next_multiple_of(64);
        start
    };
    (kernel.tile_vars().iter().map(place).collect(), end)
}
