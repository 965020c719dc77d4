//! From the checked kernel to the lane program: regions, masks, shapes, addresses.
//!
//! [`vectorize`] is all there is to call. What it makes depends on the kernel and on a [`CodeKey`]: what is known of a launch and worth code of its own.

mod access;
mod bits;
mod comp;
mod control;
mod cross;
mod live;
mod locals;
mod merge;
mod message;
mod nest;
mod place;
mod regions;
mod repeat;
#[cfg(test)]
mod samples;
mod state;
mod tile;
mod tree;
mod value;
mod view;

pub(crate) use regions::regions;

use std::collections::{BTreeMap, BTreeSet};

use tilewise_ir::analysis::aligned::Alignments;
use tilewise_ir::analysis::tile_memory::must_clear;
use tilewise_ir::check::Checked;
use tilewise_ir::kernel::{InstId, Kernel};
use tilewise_ir::stack::with_levels;

use crate::hash::{HashMap, HashSet};
use crate::lanes::{ArenaSizes, LaneBuilder, LaneProgram, fuse, leave, remove_dead, share_addresses, split, version};

/// What a lane program is specialised for.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct CodeKey {
    /// Lanes: 1, 4, 8 or 16.
    pub width: u32,
    /// Does every view span less than 2^31 bytes? Offsets of lanes then take 32 bits.
    pub small: bool,
    /// Is the domain one long row, which the views used at the thread's whole position are too?
    pub flat: bool,
    /// For each parameter of the kernel, in order.
    pub params: Vec<ParamSpec>,
    /// For each allocation, whether the launch may write there.
    pub writable: Vec<bool>,
    /// May a product and a sum be one operation, with one rounding?
    pub relaxed: bool,
    /// What is left out, to measure what it costs.
    pub without: Without,
}

impl CodeKey {
    /// For so many parameters, if all are views that are apart, small, without gaps, and may be written.
    pub fn apart(width: u32, params: usize) -> CodeKey {
        CodeKey {
            width,
            small: true,
            flat: false,
            params: (0..params).map(|param| ParamSpec { allocation: param as u16, unit: true }).collect(),
            writable: vec![true; params],
            relaxed: false,
            without: Without::default(),
        }
    }
}

/// What can be left out of a program, to measure what it costs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Without {
    /// No access is judged: it must lie in range.
    pub checks: bool,
    /// No loop asks whether the launch is to end.
    pub polls: bool,
}

/// What is known of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ParamSpec {
    /// The number of the allocation that a view or a buffer lies in, among those of the launch in
    /// the order of first use: arguments that may overlap share one. 0 for uniforms.
    pub allocation: u16,
    /// A view: are neighbours along the last dimension neighbours in memory?
    pub unit: bool,
}

/// Why there is no lane program of a kernel.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unformed(pub String);

/// Makes the lane program of a kernel.
pub fn vectorize(kernel: &Checked<Kernel>, key: &CodeKey) -> Result<LaneProgram, Unformed> {
    with_levels(kernel.inlined().levels(), || formed(kernel, key))
}

fn formed(kernel: &Checked<Kernel>, key: &CodeKey) -> Result<LaneProgram, Unformed> {
    let (kernel, facts) = (kernel.inlined(), kernel.facts());
    let locals = locals::Locals::of(kernel, facts);
    let live = live::Live::of(kernel, &locals);
    let shape = tree::InstTree::of(kernel, &locals);
    let function = kernel.entry();
    let types = kernel.types();
    let mut tile_static = 0;
    let mut tile_vars = Vec::new();
    for var in kernel.tile_vars() {
        tile_vars.push(tile_static);
        // As far apart as vectors of them like.
        tile_static = (tile_static + types.size(var.ty)).next_multiple_of(64);
    }
    let cleared = must_clear(kernel, facts);
    let private = locals.private() * u64::from(key.width);
    let mut former = state::Vectorizer {
        kernel,
        function,
        context: kernel.context(function),
        facts,
        alignments: Alignments::of(kernel),
        key,
        locals: &locals,
        live: &live,
        shape: &shape,
        b: LaneBuilder::new(key.width),
        values: vec![None; function.values().len()],
        parts: Vec::new(),
        added: locals.count(),
        active: None,
        protected: BTreeSet::new(),
        targets: Vec::new(),
        touched: BTreeSet::new(),
        ended: 0,
        inert: 0,
        plans: HashMap::default(),
        tile: tile::Tile::default(),
        here: nest::CodePosition { private, tile_vars, ..nest::CodePosition::default() },
        copies: Vec::new(),
        messages: Vec::new(),
        notes: BTreeMap::new(),
        at: InstId::FIRST,
        positions: HashSet::default(),
    };
    former.params()?;
    let barriers = shape.inside.iter().any(|inside| inside.barrier);
    if barriers {
        former.prepare_tile(cross::RegionLiveness::of(kernel, facts, &locals, &shape));
    }
    let mut arena = ArenaSizes { tile_static, private, ..ArenaSizes::default() };
    match kernel.tile() {
        None => former.untiled()?,
        Some(_) => {
            former.tiled(&cleared)?;
        }
    }
    if barriers {
        let strips = nest::Strips::of(kernel.tile().unwrap_or(&[]), key.width).all();
        arena.private = private * u64::from(strips);
        arena.context = former.tile.context * u64::from(strips * key.width);
        arena.votes = former.votes_size();
    }
    let (copies, messages) = (former.copies, former.messages);
    let notes = former.notes.into_values().collect();
    let doubtful = former.tile.doubtful;
    let (stops, vote_words) = (former.tile.stops, former.tile.vote_words);
    let mut program = former.b.finish(kernel.name().into(), arena);
    program.copies = copies;
    program.messages = messages;
    program.stops = stops;
    program.vote_words = vote_words;
    program.doubtful = doubtful;
    program.notes = notes;
    program.writable.clone_from(&key.writable);
    split(&mut program);
    version(&mut program);
    share_addresses(&mut program);
    remove_dead(&mut program);
    let mut changed = leave(&mut program);
    if key.relaxed {
        fuse(&mut program);
        changed = true;
    }
    if changed {
        remove_dead(&mut program);
    }
    Ok(program)
}
