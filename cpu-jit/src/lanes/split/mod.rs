//! Splits loops with known iteration counts: an iteration that differs from the others gets code of
//! its own.
//!
//! A strip loop tests in each iteration which of its lanes are below some limit. If the limit is a
//! constant, all iterations before it have all lanes set, all after it none, and at most one has
//! some. So the loop is written in up to three parts, in each of which masks and conditions are
//! constants: full vectors without a mask, one iteration with a constant mask, and the rest, often
//! nothing. A loop of one iteration becomes straight-line code.
//!
//! To do so, a [`LaneBuilder`] rewrites the whole program and folds the values that have become
//! constant. Besides constants, the pass tracks the ranges of counters and of sums with them;
//! ranges decide comparisons.
//!
//! The rewrite also expresses addresses as sums ([`linear`]), removes redundant loads ([`memory`]),
//! fuses adjacent strip loops ([`join`]), and applies unroll and jam to loops around an inner loop
//! ([`unroll_jam`]). [`row_jam`] does the same to the rows of kernels without tiles, after their checks
//! are hoisted. `parts` writes a loop in parts, `ranges` computes the ranges of integer
//! scalars.

mod join;
mod linear;
mod memory;
mod parts;
mod promote;
mod ranges;
mod row_jam;
#[cfg(test)]
mod tests;
mod unroll_jam;

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::VectorMachine;
use super::build::{BuildMark, LaneBuilder};
use super::program::{ArenaPart, Effect, Elem, LaneInst, LaneProgram, LaneType, LaneValue, MemorySpace, Node};
use super::sum::Sum;
use super::walk::{effect_operands_mut, operands_mut};
use crate::hash::HashMap;
use memory::{HeldValue, LoopAccess};
use promote::{Promotion, ScalarOp};

pub use promote::promote;
use row_jam::RowJam;
pub use row_jam::jam_rows;
#[cfg(test)]
pub use row_jam::jam_rows_of;

/// Maximum number of nodes of a loop written in parts.
const MOST: usize = 600;

/// Writes loops in parts where that makes masks or conditions constant.
pub fn split(program: &mut LaneProgram, machine: VectorMachine) {
    let Rewriter { b, .. } = Rewriter::new(program, Some(machine)).written();
    let new = b.finish(program.name.clone(), program.arena);
    (program.types, program.inputs, program.given, program.body) = (new.types, new.inputs, new.given, new.body);
}

/// Rewrites a program.
struct Rewriter<'p> {
    program: &'p LaneProgram,
    /// The machine, if iterations of its loops may be jammed.
    machine: Option<VectorMachine>,
    b: LaneBuilder,
    /// The new value of each old value.
    values: HashMap<LaneValue, LaneValue>,
    /// Signed minimum and maximum of new integer scalars.
    ranges: HashMap<LaneValue, (i64, i64)>,
    /// Scalars that are sums.
    linears: HashMap<LaneValue, Sum>,
    /// Minimum and maximum of address offsets.
    hulls: HashMap<LaneValue, (i64, i64)>,
    /// Divisors of counters: each counter is a multiple of its number.
    multiples: HashMap<LaneValue, i64>,
    /// Scalars that are an exact fraction of another: that scalar and the divisor.
    parts_of: HashMap<LaneValue, (LaneValue, i64)>,
    /// Known contents of memory.
    held: Vec<HeldValue>,
    /// Is the code being written an iteration of a short innermost loop?
    short: bool,
    /// The number of loads of lanes saved by an earlier access.
    loads_shared: usize,
    /// Are accesses recorded?
    recording: bool,
    /// While they are: the current iterations.
    round: Option<LoopIteration>,
    accesses: Vec<LoopAccess>,
    /// The tile that is written without loops.
    promotion: Option<Promotion>,
    /// The operations that made scalars, if a tile may be written without loops.
    scalar_ops: Option<HashMap<LaneValue, ScalarOp>>,
    /// The attempt to write rows together.
    rows: Option<RowJam>,
}

/// Iterations of a counted loop that are being written.
struct LoopIteration {
    /// The counter, if it is not constant.
    counter: Option<LaneValue>,
    /// Its value in the first and in the last of them.
    rounds: (i64, i64),
}

/// A loop whose iterations are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct CountedLoop {
    /// The index of the counter among the parameters.
    param: usize,
    first: i64,
    step: i64,
    /// The counter stays below this: the first number that it does not reach.
    end: i64,
}

impl CountedLoop {
    /// Has it so few iterations that nothing polls in it?
    fn is_short(&self) -> bool {
        parts::is_short(self.first, self.end, self.step)
    }
}

impl<'p> Rewriter<'p> {
    fn new(program: &'p LaneProgram, machine: Option<VectorMachine>) -> Rewriter<'p> {
        Rewriter {
            program,
            machine,
            b: LaneBuilder::new(program.width),
            values: HashMap::default(),
            ranges: HashMap::default(),
            linears: HashMap::default(),
            hulls: HashMap::default(),
            multiples: HashMap::default(),
            parts_of: HashMap::default(),
            held: Vec::new(),
            short: false,
            loads_shared: 0,
            recording: false,
            round: None,
            accesses: Vec::new(),
            promotion: None,
            scalar_ops: None,
            rows: None,
        }
    }

    /// Writes the whole program.
    fn written(mut self) -> Rewriter<'p> {
        self.values.extend(self.program.given.iter().copied().zip(self.b.given()));
        self.nodes(&self.program.body.nodes);
        let mut body = self.b.close(Vec::new());
        self.unread(&mut body);
        self.b.reopen(body);
        self
    }

    fn get(&self, value: LaneValue) -> LaneValue {
        self.values[&value]
    }

    fn all(&self, values: &[LaneValue]) -> Vec<LaneValue> {
        values.iter().map(|&value| self.get(value)).collect()
    }

    fn node(&mut self, node: &'p Node) {
        match node {
            Node::Let { value, inst, pos } => {
                self.b.at(*pos);
                let new = self.inst(*value, inst);
                self.values.insert(*value, new);
            }
            Node::Do { effect, pos } => {
                self.b.at(*pos);
                let mut effect = effect.clone();
                effect_operands_mut(&mut effect, &mut |value| *value = self.values[value]);
                if let Effect::Store { mask, .. } | Effect::Copy { mask, .. } = &mut effect {
                    match mask.and_then(|mask| self.known_mask(mask)) {
                        Some(true) => *mask = None,
                        Some(false) => return,
                        None => {}
                    }
                }
                self.effect(effect);
            }
            Node::If { condition, then, otherwise, results, likely } => {
                let condition = self.get(*condition);
                if let Some(bits) = self.b.constant_of(condition) {
                    let arm = if bits != 0 { then } else { otherwise };
                    self.nodes(&arm.nodes);
                    for (&result, &value) in results.iter().zip(&arm.results) {
                        self.values.insert(result, self.get(value));
                    }
                    return;
                }
                if self.assume(condition, *likely) {
                    self.nodes(&then.nodes);
                    for (&result, &value) in results.iter().zip(&then.results) {
                        self.values.insert(result, self.get(value));
                    }
                    return;
                }
                let before = self.held.clone();
                self.b.open_arm();
                self.nodes(&then.nodes);
                let given = self.all(&then.results);
                let then = self.b.close(given);
                // Keep only contents that both arms preserve.
                let left = std::mem::replace(&mut self.held, before.clone());
                self.b.open_arm();
                self.nodes(&otherwise.nodes);
                let given = self.all(&otherwise.results);
                let otherwise = self.b.close(given);
                if !fault::planted(Fault::ArmForgetsStores) {
                    self.held = memory::kept(&before, &left, &self.held);
                }
                let new = self.b.if_else(condition, then, otherwise, *likely);
                self.values.extend(results.iter().copied().zip(new));
            }
            Node::Loop { params, init, body, again, results } => {
                let init = self.all(init);
                if self.jams_rows(params, &init, body, *again) {
                    let last = self.row_groups(params, init[0], body, *again);
                    self.values.extend(results.iter().copied().zip(last));
                    return;
                }
                let last = match self.counted(params, &init, body, *again) {
                    Some(counted) if self.promotion.is_some() => self.unrolled(&counted, params, init, body),
                    Some(counted) => self.parts(&counted, params, init, body),
                    None => {
                        if let Some(promotion) = &mut self.promotion {
                            promotion.has_loop = true;
                        }
                        self.repeat(params, init, body, *again, None)
                    }
                };
                self.values.extend(results.iter().copied().zip(last));
            }
            Node::Exit { condition, status } => {
                let condition = self.get(*condition);
                if self.b.constant_of(condition) != Some(0) {
                    self.b.exit(condition, *status);
                }
            }
            Node::Poll if self.short => {}
            Node::Poll => self.b.poll(),
        }
    }

    fn inst(&mut self, old: LaneValue, inst: &LaneInst) -> LaneValue {
        let ty = self.program.ty(old);
        let mut inst = inst.clone();
        operands_mut(&mut inst, &mut |value| *value = self.values[value]);
        match inst {
            LaneInst::Const(bits) => self.b.constant(ty.elem(), bits),
            LaneInst::Input(word) => self.b.input(self.program.inputs[word as usize]),
            LaneInst::Splat(value) => self.b.lanes(value),
            LaneInst::Op { op, scalar, args } => {
                if let Some(truth) = self.compared(op, scalar, &args) {
                    return self.b.truth(truth);
                }
                // The builder has better forms for these; any other op is kept as it is.
                let new = if let (Op::Select, &[condition, yes, no]) = (op, args.as_slice()) {
                    self.b.select(condition, yes, no)
                } else if let (Op::Not, Scalar::Bool, &[a]) = (op, scalar, args.as_slice()) {
                    self.b.not(a)
                } else {
                    self.b.op(op, scalar, &args)
                };
                if let Some(made) = &mut self.scalar_ops
                    && !self.b.ty(new).is_lanes()
                {
                    made.entry(new).or_insert((op, scalar, args.clone()));
                }
                if let Some(range) = self.range_of(op, scalar, &args)
                    && self.b.constant_of(new).is_none()
                {
                    self.ranges.insert(new, range);
                    self.note_linear(op, scalar, &args, new, true);
                } else {
                    self.note_linear(op, scalar, &args, new, false);
                }
                new
            }
            LaneInst::Select { mask, yes, no } => self.b.select(mask, yes, no),
            LaneInst::FirstLanes(count) => match self.range(count) {
                Some((least, _))
                    if least >= i64::from(self.program.width) - i64::from(fault::planted(Fault::FirstLanesOneMore)) =>
                {
                    self.mask(true)
                }
                Some((_, greatest)) if greatest <= 0 => self.mask(false),
                _ => self.b.first_lanes(count),
            },
            LaneInst::Any(mask) => self.b.any(mask),
            LaneInst::All(mask) => self.b.all(mask),
            LaneInst::Load { at, mask } => {
                let mask = mask.filter(|&mask| self.known_mask(mask) != Some(true));
                self.load(at, mask, ty)
            }
            LaneInst::Atomic { ref at, .. } | LaneInst::CompareExchange { ref at, .. } => {
                if !fault::planted(Fault::AtomicLeavesHeld) {
                    self.overwritten(at);
                }
                self.b.here(inst, ty)
            }
            LaneInst::Arena(_)
            | LaneInst::Lane
            | LaneInst::Whole { .. }
            | LaneInst::LowestLane { .. }
            | LaneInst::ReciprocalRoot(_)
            | LaneInst::Slide { .. } => self.b.pure(inst, ty),
        }
    }

    fn effect(&mut self, effect: Effect) {
        match effect {
            Effect::Store { at, value, mask } => return self.store(at, value, mask),
            Effect::Copy { ref to, .. } => {
                let space = to.space;
                self.held.retain(|held| held.at.space != space);
            }
            Effect::Clear { .. } => self.held.retain(|held| !matches!(held.at.space, MemorySpace::Arena(_))),
            Effect::Fence => self.held.clear(),
            Effect::Message { .. } | Effect::Prefetch { .. } => {}
        }
        self.b.effect(effect);
    }

    /// Removes everything written since the mark.
    fn back_to(&mut self, mark: &BuildMark) {
        self.b.back_to(mark);
        self.held.clear();
        self.ranges.retain(|value, _| mark.has(*value));
        self.linears.retain(|value, _| mark.has(*value));
        self.hulls.retain(|value, _| mark.has(*value));
        self.multiples.retain(|value, _| mark.has(*value));
        self.parts_of.retain(|value, _| mark.has(*value));
        if let Some(made) = &mut self.scalar_ops {
            // A value may have been found again by an operation on later ones.
            made.retain(|value, (_, _, args)| mark.has(*value) && args.iter().all(|&arg| mark.has(arg)));
        }
    }

    /// Records a divisor of a counter.
    fn divides(&mut self, counter: LaneValue, counted: &CountedLoop) {
        if counted.first % counted.step == 0 {
            self.multiples.insert(counter, counted.step);
        }
    }

    /// The pointer to a part of the arena, if it was built.
    fn arena_base(&self, part: ArenaPart) -> Option<LaneValue> {
        self.b.known(&LaneInst::Arena(part), LaneType::Scalar(Elem::I64))
    }

    fn mask(&mut self, set: bool) -> LaneValue {
        let set = self.b.truth(set);
        self.b.lanes(set)
    }

    /// Whether all lanes of a mask are set (`true`) or none (`false`), if one of these is certain.
    fn known_mask(&mut self, mask: LaneValue) -> Option<bool> {
        let scalar = self.b.behind(mask)?;
        self.b.constant_of(scalar).map(|bits| bits != 0)
    }
}
