//! Loops in which each thread accesses a run of neighbouring elements of its own.
//!
//! `for k in 0..128 { .. v[128 * i + k] .. }` reads, in each iteration, one element for each lane, 512
//! bytes apart: a gather that touches a line for each lane, and only a sixteenth of it. The elements of
//! sixteen iterations are one whole vector for each lane. So this pass loads these vectors at once,
//! moves their elements to the lanes (as [`row_groups`](super::row_groups) says; an emitter moves them by
//! interleaving), keeps them in the worker's memory, and lets the iterations read them from there, side by
//! side.
//!
//! The runs may be a constant distance apart, or one that the launch knows, as `v[(i, k)]` of a view with
//! rows has it: then the vectors go through the worker's memory once more, where their distance is
//! constant. So do runs that are written, or read and written: their vectors are stored behind the
//! iterations of a block.
//!
//! A processor does not foresee which lines these are: they are requested a block ahead, at the end of
//! the runs those of the next strip.
//!
//! The loop becomes one over blocks of iterations, with the loop as it was behind it, for the iterations
//! that fill no block. That is right for accesses
//! - in each iteration, in all lanes: without a mask, or with one of which `lines` shows at the beginning
//!   of a block that it leaves out no lane of the whole block;
//! - to memory that nobody writes in this launch; or of which the loop accesses nothing else than this
//!   one element of each lane, while nothing in it orders accesses of threads;
//! - whose offset grows by the size of an element in each iteration.
//!
//! Where the index is a scalar of 32 bits, it may wrap; between two iterations of a block it does not:
//! both elements lie in the memory of a view, which has fewer than 2^32 elements. Where lanes compute it,
//! `lines` asks.
//!
//! - `lines` knows values that grow by a scalar from lane to lane.
//! - `blocks` writes the loop over blocks.
//! - `ragged` does loops in which lanes begin anywhere, and leave one after another; `ragged_counts` knows how
//!   many elements each lane reads.

mod blocks;
mod lines;
mod ragged;
mod ragged_counts;
#[cfg(test)]
mod tests;

use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use self::blocks::LoopParts;
use self::lines::RunScope;
use self::ragged::RaggedLoop;
use super::classes::{IntegerType, SumOp, sum_op};
use super::program::{
    AddressStep, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneProgram, LaneValue, MemorySpace, Node, OwnRuns,
};
use super::walk::access;
use super::{LaneInstClass, VectorMachine};
use crate::hash::{HashMap, HashSet};

/// Fewer elements of a run are not worth a second loop.
const LEAST: i64 = 4;

/// Fewer lanes have no whole vectors of 256 bits.
const LEAST_LANES: i64 = 8;

/// With more lanes, the elements of a block are too many for the first cache, and no emitter moves rows
/// of so many elements.
const WIDEST: u32 = 16;

/// Runs of a loop that are done in blocks, at most: the elements of each are values at the same time.
const MOST_RUNS: usize = 2;

/// Most bytes from a lane to the next: those of all lanes are displacements.
const FAR: i64 = 1 << 22;

/// Maximum number of operations from the counter to an offset.
const LONGEST_CHAIN: usize = 8;

/// Does the accesses of threads to runs of their own in blocks; returns whether there are any. In short
/// code, only loads whose lanes are a constant apart. [`LaneProgram::own_runs`] says what became of others.
pub fn read_own_runs(program: &mut LaneProgram, machine: VectorMachine, longer: bool) -> bool {
    // Without vectors of 256 bits or more, elements are moved one by one.
    if machine.vector_bytes < 32 || i64::from(program.width) < LEAST || !has_candidate(&program.body, false) {
        return false;
    }
    let mut pure = HashMap::default();
    note_pure(&program.body, &mut pure);
    let body = std::mem::take(&mut program.body);
    let private = program.arena.private;
    let mut pass = RunReader { program, machine, longer, pure, private, most: private, found: false };
    let body = pass.block(body);
    let (found, most) = (pass.found, pass.most);
    program.body = body;
    program.arena.private = most;
    found
}

/// Does a loop access anything in steps?
fn has_candidate(block: &LaneBlock, in_loop: bool) -> bool {
    block.nodes.iter().any(|node| match node {
        Node::Let { inst: LaneInst::Load { at, .. }, .. } | Node::Do { effect: Effect::Store { at, .. }, .. } => {
            in_loop && is_stepped(at)
        }
        Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => false,
        Node::If { then, otherwise, .. } => has_candidate(then, in_loop) || has_candidate(otherwise, in_loop),
        Node::Loop { body, .. } => has_candidate(body, true),
    })
}

fn as_loop((params, init, body, again, results): LoopParts) -> Node {
    Node::Loop { params, init, body, again, results }
}

/// Is it memory of the launch, with more than an element from lane to lane, or not known how much?
fn is_stepped(at: &LaneAddress) -> bool {
    let size = i64::from(at.stored.size());
    let far = match at.along {
        AddressStep::Uniform => false,
        AddressStep::Step(step) => step > size && step % size == 0 && step <= FAR,
        AddressStep::Each(_) => true,
    };
    far && size >= 4 && matches!(at.space, MemorySpace::Buffer(_))
}

/// Notes the instructions that use no memory, by the values that they define.
fn note_pure(block: &LaneBlock, pure: &mut HashMap<LaneValue, LaneInst>) {
    for node in &block.nodes {
        match node {
            Node::Let { value, inst, .. } if inst.class() == LaneInstClass::Pure => {
                pure.insert(*value, inst.clone());
            }
            Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            Node::If { then, otherwise, .. } => {
                note_pure(then, pure);
                note_pure(otherwise, pure);
            }
            Node::Loop { body, .. } => note_pure(body, pure),
        }
    }
}

struct RunReader<'p> {
    program: &'p mut LaneProgram,
    machine: VectorMachine,
    longer: bool,
    /// The instructions of the program that use no memory.
    pure: HashMap<LaneValue, LaneInst>,
    /// The size of the private memory without elements of runs, and with those of the loop that has most:
    /// loops, of which none is in another, share it.
    private: u64,
    most: u64,
    found: bool,
}

/// A loop that accesses runs.
struct RunLoop {
    /// Values that the loop defines.
    inside: HashSet<LaneValue>,
    /// What its parameters begin with, and what a constant is added to in each iteration.
    steps: HashMap<LaneValue, (LaneValue, i64)>,
    /// Iterations of a block.
    length: i64,
    /// Do whole vectors go through the worker's memory?
    through_rows: bool,
    runs: Vec<OwnRun>,
}

/// The scalar that counts the iterations of a loop.
#[derive(Clone, Copy)]
struct LoopCounter {
    /// The loop's parameter.
    param: LaneValue,
    /// What it stays below, and as what both are compared.
    limit: LaneValue,
    compared: Scalar,
}

/// How the runs of a loop are done in blocks.
enum BlockedLoop {
    /// All lanes run for as many iterations as a scalar says.
    Counted(RunLoop, LoopCounter),
    /// Each lane begins and ends where it says.
    Ragged(RaggedLoop),
}

/// A run of each lane.
#[derive(Clone)]
struct OwnRun {
    /// The address in each iteration.
    at: LaneAddress,
    /// The masks of its accesses.
    masks: SmallVec<[LaneValue; 2]>,
    /// Where it is read, and where it is written, if it is.
    read: Option<Pos>,
    written: Option<Pos>,
}

/// The accesses of a loop's body.
#[derive(Default)]
struct BodyAccesses {
    /// Number of accesses to each space, those under a condition too.
    counts: HashMap<MemorySpace, usize>,
    /// Does anything order accesses of threads?
    ordered: bool,
}

impl RunReader<'_> {
    fn block(&mut self, block: LaneBlock) -> LaneBlock {
        let (nodes, results) = block.into_parts();
        let mut written = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node {
                Node::If { condition, then, otherwise, results, likely } => {
                    let then = self.block(then);
                    let otherwise = if likely.is_then() { otherwise } else { self.block(otherwise) };
                    written.push(Node::If { condition, then, otherwise, results, likely });
                }
                Node::Loop { params, init, body, again, results } => {
                    let body = self.block(body);
                    let blocked = self.runs(&params, &init, &body, again);
                    self.found |= blocked.is_some();
                    let parts = (params, init, body, again, results);
                    match blocked {
                        Some(BlockedLoop::Counted(runs, counter)) => {
                            self.in_blocks((&runs, counter), parts, &mut written);
                        }
                        Some(BlockedLoop::Ragged(runs)) => written.append(&mut self.in_ragged_blocks(&runs, parts)),
                        None => written.push(as_loop(parts)),
                    }
                }
                Node::Let { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => written.push(node),
            }
        }
        LaneBlock { nodes: written, results }
    }

    /// The runs of an innermost loop, if it has any.
    fn runs(
        &mut self,
        params: &[LaneValue],
        init: &[LaneValue],
        body: &LaneBlock,
        again: LaneValue,
    ) -> Option<BlockedLoop> {
        if !has_candidate(body, true) {
            return None;
        }
        let (mut inside, mut accesses) = (params.iter().copied().collect(), BodyAccesses::default());
        accesses.collect(body, &mut inside)?;
        let mut steps = HashMap::default();
        for ((&param, &first), next) in params.iter().zip(init).zip(&body.results) {
            let Some(LaneInst::Op { op, args, .. }) = self.pure.get(next) else { continue };
            if let (SumOp::Add, &[a, b]) = (sum_op(*op), args.as_slice()) {
                let step = if a == param { b } else { a };
                if let Some(step) = self.constant(step).filter(|_| a == param || b == param) {
                    steps.insert(param, (first, step));
                }
            }
        }
        let mut runs = RunLoop { inside, steps, length: 0, through_rows: true, runs: Vec::new() };
        let found = self.candidates(&runs, body, &accesses);
        let fits = self.longer && self.program.width <= WIDEST;
        if let Some(counter) = self.counter(params, body, again, &runs) {
            if found.iter().any(OwnRun::needs_rows) {
                self.choose(&found, &mut runs);
                if runs.runs.iter().any(OwnRun::needs_rows) && self.blocks_are_made(fits) {
                    return Some(BlockedLoop::Counted(runs, counter));
                }
            }
            runs.through_rows = false;
            self.choose(&found, &mut runs);
            if !runs.runs.is_empty() {
                return Some(BlockedLoop::Counted(runs, counter));
            }
        }
        let ragged = self.ragged(runs, &found, (params, body, again))?;
        self.blocks_are_made(fits).then_some(BlockedLoop::Ragged(ragged))
    }

    /// Notes that a loop is done in blocks, if it is to be.
    fn blocks_are_made(&mut self, fits: bool) -> bool {
        match self.program.own_runs {
            _ if fits => self.program.own_runs = OwnRuns::Blocks,
            OwnRuns::None => self.program.own_runs = OwnRuns::Kept,
            OwnRuns::Kept | OwnRuns::Blocks => {}
        }
        fits
    }

    /// What counts the iterations of a loop, if it is a scalar below a limit.
    fn counter(&self, params: &[LaneValue], body: &LaneBlock, again: LaneValue, runs: &RunLoop) -> Option<LoopCounter> {
        let LaneInst::Op { op: Op::Lt, scalar: compared, args } = self.pure.get(&again)? else { return None };
        let (&[next, limit], compared) = (args.as_slice(), *compared) else { return None };
        let counts =
            |&at: &usize| body.results[at] == next && runs.steps.get(&params[at]).is_some_and(|&(_, by)| by == 1);
        let param = params[(0..params.len()).find(counts)?];
        let is_scalar = !self.program.ty(param).is_lanes();
        let is_known = !runs.inside.contains(&limit) && matches!(compared, Scalar::I32 | Scalar::U32 | Scalar::I64);
        (is_scalar && is_known).then_some(LoopCounter { param, limit, compared })
    }

    /// Chooses the runs of a loop that are done in blocks: as many elements as there are lanes, or, of those
    /// that need no rows, as a vector of the machine has.
    fn choose(&mut self, found: &[OwnRun], runs: &mut RunLoop) {
        runs.length = 0;
        runs.runs.clear();
        for run in found {
            let size = i64::from(run.at.stored.size());
            let length = match runs.through_rows {
                true => self.program.width.min(WIDEST).into(),
                false if run.needs_rows() => continue,
                false => (i64::from(self.machine.vector_bytes) / size).min(self.program.width.into()),
            };
            if runs.runs.len() < MOST_RUNS
                && (runs.length == 0 || runs.length == length)
                && self.is_run(run, length, runs)
            {
                runs.length = length;
                runs.runs.push(run.clone());
            }
        }
    }

    /// The addresses that a body accesses in each iteration, and nothing else near them.
    fn candidates(&self, runs: &RunLoop, body: &LaneBlock, accesses: &BodyAccesses) -> Vec<OwnRun> {
        let mut found: Vec<(OwnRun, usize)> = Vec::new();
        for node in &body.nodes {
            let (at, mask, pos, is_written) = match node {
                Node::Let { inst: LaneInst::Load { at, mask }, pos, .. } => (at, *mask, *pos, false),
                Node::Do { effect: Effect::Store { at, mask, .. }, pos } => (at, *mask, *pos, true),
                Node::Let { .. } | Node::Do { .. } | Node::If { .. } | Node::Loop { .. } => continue,
                Node::Exit { .. } | Node::Poll => continue,
            };
            if !is_stepped(at) || runs.inside.contains(&at.base) {
                continue;
            }
            match found.iter_mut().find(|(run, _)| run.at == *at) {
                Some((run, count)) => {
                    if is_written { &mut run.written } else { &mut run.read }.get_or_insert(pos);
                    run.masks.extend(mask);
                    *count += 1;
                }
                None => {
                    let masks = mask.into_iter().collect();
                    let (read, written) = if is_written { (None, Some(pos)) } else { (Some(pos), None) };
                    found.push((OwnRun { at: at.clone(), masks, read, written }, 1));
                }
            }
        }
        let is_apart = |(run, count): &(OwnRun, usize)| {
            let MemorySpace::Buffer(buffer) = run.at.space else { return false };
            let only = accesses.counts.get(&run.at.space) == Some(count) || fault::planted(Fault::OwnRunMeetsNeighbour);
            let alone = !accesses.ordered && only;
            !self.program.writable[usize::from(buffer)] || alone
        };
        found.into_iter().filter(is_apart).map(|(run, _)| run).collect()
    }

    /// Do lanes access runs of their own at an address, of which blocks have so many elements?
    fn is_run(&mut self, run: &OwnRun, length: i64, runs: &RunLoop) -> bool {
        let (at, size) = (&run.at, i64::from(run.at.stored.size()));
        if length < if runs.through_rows { LEAST_LANES } else { LEAST } {
            return false;
        }
        // Masks are only asked where the road through rows is taken.
        if !(runs.through_rows || run.masks.is_empty()) {
            return false;
        }
        let growth = match at.offset {
            Some(offset) => {
                let mut left = LONGEST_CHAIN;
                let Some(growth) = self.growth(offset, runs, &mut left) else { return false };
                growth
            }
            None => 0,
        };
        // What is asked of the launch is written for a place that is left again.
        let mut scope = RunScope::trial(runs);
        match at.along {
            AddressStep::Uniform => false,
            AddressStep::Step(step) => {
                let apart = if run.written.is_some() { step >= length * size } else { 2 * step > length * size };
                apart && growth == size && self.asks(run, &mut scope).is_some()
            }
            AddressStep::Each(offsets) => {
                let Some(line) = self.line(offsets, &mut scope) else { return false };
                ((growth, line.growth) == (size, 0) || (growth, line.growth) == (0, size))
                    && self.asks(run, &mut scope).is_some()
            }
        }
    }

    /// The number that a value always is.
    fn constant(&self, value: LaneValue) -> Option<i64> {
        let inst = self.pure.get(&value)?;
        if let LaneInst::Splat(scalar) = inst {
            return self.constant(*scalar);
        }
        let LaneInst::Const(bits) = inst else { return None };
        match self.program.ty(value).elem() {
            Elem::I32 => Some(i64::from(*bits as i32)),
            Elem::I64 => Some(*bits as i64),
            Elem::Bool | Elem::F32 | Elem::F64 => None,
        }
    }

    /// By how much a scalar grows in each iteration; `None` if that is not known, or if it is computed
    /// from more than one value that grows.
    fn growth(&self, value: LaneValue, runs: &RunLoop, left: &mut usize) -> Option<i64> {
        if !runs.inside.contains(&value) || self.constant(value).is_some() {
            return Some(0);
        }
        if let Some(&(_, step)) = runs.steps.get(&value) {
            return Some(step);
        }
        *left = left.checked_sub(1)?;
        let inst = self.pure.get(&value)?;
        if let LaneInst::Splat(of) = inst {
            return self.growth(*of, runs, left);
        }
        let LaneInst::Op { op, scalar, args } = inst else { return None };
        let a = self.growth(*args.first()?, runs, left)?;
        let b = args.get(1).map_or(Some(0), |&b| self.growth(b, runs, left))?;
        match sum_op(*op) {
            SumOp::Add | SumOp::Sub if a != 0 && b != 0 => None,
            SumOp::Add => Some(a + b),
            SumOp::Sub => a.checked_sub(b),
            SumOp::Mul if (a, b) == (0, 0) => Some(0),
            SumOp::Mul => match (self.constant(args[0]), self.constant(args[1])) {
                (_, Some(by)) => a.checked_mul(by),
                (Some(by), None) => b.checked_mul(by),
                (None, None) => None,
            },
            // An index of 32 bits that wrapped would lie outside of the view.
            SumOp::Convert(IntegerType::I64 | IntegerType::U64) if matches!(scalar, Scalar::I32 | Scalar::U32) => {
                Some(a).filter(|&by| by == 0 || by == 1)
            }
            SumOp::Convert(_) if matches!(scalar, Scalar::I32 | Scalar::U32 | Scalar::I64 | Scalar::U64) => Some(a),
            SumOp::Convert(_) | SumOp::Other => None,
        }
    }
}

impl OwnRun {
    /// Do its vectors go through the worker's memory?
    fn needs_rows(&self) -> bool {
        self.written.is_some() || matches!(self.at.along, AddressStep::Each(_))
    }
}

impl BodyAccesses {
    /// Notes a body's accesses, and the values that it defines; `None` if it has a loop or may end the
    /// program.
    fn collect(&mut self, block: &LaneBlock, inside: &mut HashSet<LaneValue>) -> Option<()> {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    inside.insert(*value);
                    self.ordered |= inst.class() == LaneInstClass::Atomic;
                    if let Some((at, _)) = access(inst) {
                        self.count(at);
                    }
                }
                Node::If { then, otherwise, results, .. } => {
                    inside.extend(results);
                    self.collect(then, inside)?;
                    self.collect(otherwise, inside)?;
                }
                Node::Do { effect, .. } => match effect {
                    Effect::Store { at, .. } => self.count(at),
                    Effect::Copy { to, from, .. } => {
                        self.count(to);
                        self.count(from);
                    }
                    Effect::Fence => self.ordered = true,
                    Effect::Clear { .. } | Effect::Message { .. } | Effect::Prefetch { .. } => {}
                },
                Node::Loop { .. } | Node::Exit { .. } => return None,
                Node::Poll => {}
            }
        }
        Some(())
    }

    fn count(&mut self, at: &LaneAddress) {
        *self.counts.entry(at.space).or_default() += 1;
    }
}
