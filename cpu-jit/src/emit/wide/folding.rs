//! Decides which values are not computed where they are defined, but as part of their only use.
//!
//! - A load becomes a memory operand of the operation that uses it, unless a store or an atomic
//!   comes between, or control flow.
//! - An operation becomes the masked form of the `select` that uses it.
//! - A scalar condition becomes flags where it is branched on.
//! - A negation is part of the fused multiplication and addition that uses it.
//! - A tree of bitwise operations is one ([`bit_merges`](super::bit_merges)).
//! - A `select` of the smaller or larger value is one instruction, which needs no comparison
//!   ([`extremes`](super::extremes)).
//!
//! An operation that waits for its `select` with a load inside it waits no longer than the load
//! could.

use smallvec::SmallVec;
use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::bit_merges::{BitMerge, MergeSearch};
use super::extremes::ExtremeValue;
use super::machine::WideMachine;
use crate::emit::op::compare::CompareRow;
use crate::emit::op::float::FloatRow;
use crate::emit::op::table::{OpWriter, lowering};
use crate::hash::{HashMap, HashSet};
use crate::lanes::{
    AddressStep, Effect, Elem, LaneAddress, LaneBlock, LaneInst, LaneInstClass, LaneProgram, LaneType, LaneValue,
    MemorySpace, Node, effect_operands, operands,
};

/// What a value that waits for its use is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Waiting {
    /// A load, or the splat of one.
    Load,
    /// An operation on lanes; does it contain a load?
    Operation(bool),
    /// A scalar condition; how many conditions wait for one another inside it?
    Condition(u32),
}

/// The most conditions that wait for one another: lowering recurses over them.
const MOST_CONDITIONS: u32 = 16;

/// The uses and definitions of a program's values, and which of them wait for their use.
pub(super) struct FoldPlan<'p> {
    /// The processor.
    machine: WideMachine,
    /// The program.
    program: &'p LaneProgram,
    /// The number of uses of each value.
    uses: Vec<u32>,
    /// The number of uses as the offset of an address.
    offsets: Vec<u32>,
    /// The instruction that defines each value.
    definitions: Vec<Option<&'p LaneInst>>,
    /// Does a value wait for its use?
    waits: Vec<bool>,
    /// The selections that are the smaller or larger of two values.
    extremes: HashMap<LaneValue, ExtremeValue>,
    /// The bitwise operations that are computed with those before them.
    merges: HashMap<LaneValue, BitMerge>,
    /// Is the flag that ends a launch polled?
    pub(super) polls: bool,
    /// The memory that the program reads.
    reads: HashSet<MemorySpace>,
}

impl<'p> FoldPlan<'p> {
    /// Plans a program.
    pub(super) fn of(program: &'p LaneProgram, machine: WideMachine) -> FoldPlan<'p> {
        let count = program.types.len();
        let mut plan = FoldPlan {
            machine,
            program,
            uses: vec![0; count],
            offsets: vec![0; count],
            definitions: vec![None; count],
            waits: vec![false; count],
            extremes: HashMap::default(),
            merges: HashMap::default(),
            polls: false,
            reads: HashSet::default(),
        };
        plan.count(&program.body);
        plan.drop_comparisons();
        plan.merges = MergeSearch::find(program, machine, &plan.definitions, &mut plan.uses);
        plan.block(program, &program.body, None);
        plan
    }

    /// The instruction that defines a value.
    pub(super) fn definition(&self, value: LaneValue) -> Option<&'p LaneInst> {
        self.definitions[value.index()]
    }

    /// The smaller or larger of two values that a selection is.
    pub(super) fn extreme(&self, selection: LaneValue) -> Option<ExtremeValue> {
        self.extremes.get(&selection).copied()
    }

    /// What bitwise operations a value is computed as.
    pub(super) fn bit_merge(&self, value: LaneValue) -> Option<BitMerge> {
        self.merges.get(&value).cloned()
    }

    /// What a float is the negation of.
    pub(super) fn negated(&self, value: LaneValue) -> Option<LaneValue> {
        match self.definition(value)? {
            LaneInst::Op { op: Op::Neg, scalar, args } if scalar.is_float() => args.first().copied(),
            _ => None,
        }
    }

    /// Is a value used?
    pub(super) fn is_used(&self, value: LaneValue) -> bool {
        self.uses[value.index()] > 0
    }

    /// Is a value used exactly once?
    pub(super) fn is_used_once(&self, value: LaneValue) -> bool {
        self.uses[value.index()] == 1
    }

    /// Does the program read memory of a space?
    pub(super) fn reads(&self, space: MemorySpace) -> bool {
        self.reads.contains(&space)
    }

    /// Is a value computed by its use?
    pub(super) fn waits(&self, value: LaneValue) -> bool {
        self.waits[value.index()]
    }

    /// Is every use of a value the offset of an address?
    pub(super) fn only_offsets(&self, value: LaneValue) -> bool {
        self.offsets[value.index()] == self.uses[value.index()]
    }

    /// The bits of a constant, or of the splat of one.
    pub(super) fn constant(&self, value: LaneValue) -> Option<u64> {
        constant_in(&self.definitions, value)
    }

    fn count(&mut self, block: &'p LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    self.definitions[value.index()] = Some(inst);
                    let fused = is_fused(inst) && self.program.ty(*value).is_lanes();
                    operands(inst, &mut |&value| {
                        let used = self.negated(value).filter(|_| fused).unwrap_or(value);
                        self.uses[used.index()] += 1;
                    });
                    if let LaneInst::Select { mask, yes, no } = inst
                        && let Some(comparison) = self.definition(*mask)
                        && let Some(extreme) = ExtremeValue::of(comparison, [*yes, *no], self.machine)
                    {
                        self.extremes.insert(*value, extreme);
                        self.uses[mask.index()] -= 1;
                    }
                    if let Some((at, _)) = crate::lanes::access(inst) {
                        self.count_offset(at);
                        self.reads.insert(at.space);
                    }
                }
                Node::Do { effect, .. } => {
                    effect_operands(effect, &mut |value| self.uses[value.index()] += 1);
                    match effect {
                        Effect::Store { at, .. } => self.count_offset(at),
                        Effect::Copy { from, .. } => _ = self.reads.insert(from.space),
                        Effect::Clear { .. } | Effect::Message { .. } | Effect::Prefetch { .. } | Effect::Fence => {}
                    }
                }
                Node::If { condition, then, otherwise, .. } => {
                    self.uses[condition.index()] += 1;
                    self.count(then);
                    self.count(otherwise);
                }
                Node::Loop { init, body, again, .. } => {
                    init.iter().chain([again]).for_each(|value| self.uses[value.index()] += 1);
                    self.count(body);
                }
                Node::Exit { condition, .. } => self.uses[condition.index()] += 1,
                Node::Poll => self.polls = true,
            }
        }
        block.results.iter().for_each(|value| self.uses[value.index()] += 1);
    }

    /// The operands of comparisons that nothing needs any more have a use less.
    fn drop_comparisons(&mut self) {
        let mut masks: HashSet<LaneValue> = HashSet::default();
        for &selection in self.extremes.keys() {
            if let Some(LaneInst::Select { mask, .. }) = self.definition(selection)
                && !self.is_used(*mask)
            {
                masks.insert(*mask);
            }
        }
        for mask in masks {
            if let Some(comparison) = self.definition(mask) {
                operands(comparison, &mut |value| self.uses[value.index()] -= 1);
            }
        }
    }

    fn count_offset(&mut self, at: &LaneAddress) {
        if let Some(offset) = at.offset {
            self.offsets[offset.index()] += 1;
        }
    }

    fn block(&mut self, program: &LaneProgram, block: &'p LaneBlock, again: Option<LaneValue>) {
        let mut waiting: HashMap<LaneValue, Waiting> = HashMap::default();
        let settle = |waiting: &mut HashMap<LaneValue, Waiting>| {
            waiting.retain(|_, kind| !matches!(kind, Waiting::Load | Waiting::Operation(true)));
        };
        for node in &block.nodes {
            match node {
                // It is not computed.
                Node::Let { value, inst, .. } if !self.is_used(*value) && inst.class() != LaneInstClass::Atomic => {}
                Node::Let { value, inst, .. } => {
                    let inside = self.take_operands(program, *value, inst, &mut waiting);
                    if inst.class() == LaneInstClass::Atomic {
                        settle(&mut waiting);
                    }
                    if self.is_used_once(*value)
                        && !self.merges.contains_key(value)
                        && let Some(kind) = self.may_wait(program.ty(*value), inst, inside)
                    {
                        waiting.insert(*value, kind);
                    }
                }
                Node::Do { .. } => settle(&mut waiting),
                Node::If { condition, then, otherwise, .. } => {
                    self.take_condition(*condition, &waiting);
                    waiting.clear();
                    self.block(program, then, None);
                    self.block(program, otherwise, None);
                }
                Node::Exit { condition, .. } => {
                    self.take_condition(*condition, &waiting);
                    waiting.clear();
                }
                Node::Loop { body, again, .. } => {
                    waiting.clear();
                    self.block(program, body, Some(*again));
                }
                Node::Poll => {}
            }
        }
        if let Some(again) = again {
            self.take_condition(again, &waiting);
        }
    }

    fn take_condition(&mut self, condition: LaneValue, waiting: &HashMap<LaneValue, Waiting>) {
        self.waits[condition.index()] |= matches!(waiting.get(&condition), Some(Waiting::Condition(_)));
    }

    /// Lets operands of an instruction wait for it where they can. Is a load among them, and how
    /// many conditions wait for one another in them?
    fn take_operands(
        &mut self,
        program: &LaneProgram,
        value: LaneValue,
        inst: &LaneInst,
        waiting: &mut HashMap<LaneValue, Waiting>,
    ) -> (bool, u32) {
        let merge = self.merges.get(&value);
        let mut used: SmallVec<[LaneValue; 4]> = SmallVec::new();
        match merge {
            Some(merge) => used.extend(merge.operands()),
            None => operands(inst, &mut |&operand| used.push(operand)),
        }
        let (mut contains_load, mut conditions) = (false, 0);
        for (i, operand) in used.iter().enumerate() {
            let Some(kind) = waiting.remove(operand) else { continue };
            let lanes = program.ty(value).is_lanes();
            let fits = match (kind, inst) {
                (kind, _) if merge.is_some() => kind == Waiting::Load && merge.is_some_and(|merge| merge.folds(i)),
                (Waiting::Load, LaneInst::Splat(_)) => true,
                (Waiting::Load, LaneInst::Op { op, scalar, args }) => {
                    lanes
                        && args.iter().filter(|arg| *arg == operand).count() == 1
                        && folds(*op, *scalar, i, self.machine)
                }
                (Waiting::Load, LaneInst::Select { .. }) => self.extreme(value).is_some_and(|extreme| {
                    extreme.first != extreme.second
                        && (extreme.second == *operand || extreme.commutes && extreme.first == *operand)
                }),
                (Waiting::Operation(_), LaneInst::Select { mask, yes, no }) if self.extreme(value).is_none() => {
                    yes == operand && no != operand && mask != operand && program.ty(*yes).elem() != Elem::Bool
                }
                (Waiting::Condition(_), LaneInst::Op { op: Op::And | Op::Or | Op::Not, scalar: Scalar::Bool, .. }) => {
                    !lanes
                }
                _ => false,
            };
            if fits {
                self.waits[operand.index()] = true;
                contains_load |= matches!(kind, Waiting::Load | Waiting::Operation(true));
                if let Waiting::Condition(inside) = kind {
                    conditions = conditions.max(inside + 1);
                }
            }
        }
        (contains_load, conditions)
    }

    /// May a value that is used once wait for its use?
    fn may_wait(&self, ty: LaneType, inst: &LaneInst, (contains_load, conditions): (bool, u32)) -> Option<Waiting> {
        let lanes = ty.is_lanes();
        match inst {
            LaneInst::Load { at, mask: None } if lanes && is_plain(at) => Some(Waiting::Load),
            LaneInst::Load { at, mask: None } if !lanes && at.stored.size() >= 4 => Some(Waiting::Load),
            // In several vectors it would be loaded as often; one register serves them all.
            LaneInst::Splat(scalar)
                if self.waits(*scalar) && self.machine.part_count(ty.elem(), self.program.width) == 1 =>
            {
                Some(Waiting::Load)
            }
            LaneInst::Op { op, scalar, .. }
                if lanes && ty.elem() != Elem::Bool && super::plain_op::plain(*op, *scalar, self.machine).is_some() =>
            {
                Some(Waiting::Operation(contains_load))
            }
            LaneInst::Op { op, .. } if ty == LaneType::Scalar(Elem::Bool) && is_condition(*op) => {
                (conditions < MOST_CONDITIONS).then_some(Waiting::Condition(conditions))
            }
            LaneInst::Any(_) | LaneInst::All(_) => Some(Waiting::Condition(0)),
            _ => None,
        }
    }
}

/// The bits of a constant, or of the splat of one, among values that are defined so.
pub(super) fn constant_in(definitions: &[Option<&LaneInst>], value: LaneValue) -> Option<u64> {
    match definitions[value.index()]? {
        LaneInst::Const(bits) => Some(*bits),
        LaneInst::Splat(scalar) => constant_in(definitions, *scalar),
        _ => None,
    }
}

/// Is it a multiplication and addition of floats, which negates operands itself?
fn is_fused(inst: &LaneInst) -> bool {
    matches!(inst, LaneInst::Op { op: Op::Fma | Op::Mad, scalar, .. } if scalar.is_float())
}

/// Does an operation on scalars become flags?
fn is_condition(op: Op) -> bool {
    matches!(op, Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::And | Op::Or | Op::Not)
}

/// Lanes side by side in memory as they are in a register.
pub(super) fn is_plain(at: &LaneAddress) -> bool {
    at.stored.size() >= 4 && at.along == AddressStep::Step(at.stored.size().into())
}

/// Does an operation on lanes read its operand `i` once, as the source that may be memory?
fn folds(op: Op, scalar: Scalar, i: usize, machine: WideMachine) -> bool {
    if let Some((_, commutes)) = super::plain_op::plain(op, scalar, machine) {
        // A multiplication by a constant may be a shift, of the other operand.
        return i == 1 || commutes && (op != Op::Mul || scalar.is_float());
    }
    match lowering(op).code(scalar) {
        OpWriter::Compare(CompareRow::Compare(_)) => i == 1 && scalar != Scalar::Bool,
        OpWriter::Float(FloatRow::Sqrt) => i == 0,
        OpWriter::Float(FloatRow::Fused) => i == 2,
        _ => false,
    }
}
