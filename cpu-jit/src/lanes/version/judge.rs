//! Bounds-check hoisting: finds the iterations of a counted loop in which its conditions hold, and
//! computes them before the loop.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::stack::with_block;
use tilewise_ir::types::Scalar;

use super::count::Counter;
use super::limits::{LimitBase, LimitSide, Limits};
use super::numbers::NumberOp;
use super::{IterationCounts, SHORT, VersionPass};
use crate::hash::{HashMap, HashSet};
use crate::lanes::classes::{IntegerType, MaskOp, SumOp, mask_op, sum_op};
use crate::lanes::program::{Elem, LaneBlock, LaneInst, LaneValue, Node};
use crate::lanes::sum::Sum;
use crate::sorted::SortedMap;

/// Maximum number of terms of a sum whose terms are computed before the loop.
const TERMS: usize = 4;

/// Maximum number of values that are looked at to find such a sum.
const MOST_VISITS: u32 = 32;

/// How a scalar of the loop changes with the counter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Slope {
    /// Loop-invariant.
    Same,
    /// By a constant for each increment of the counter by 1.
    By(i64),
    /// Linearly, by an amount known only at launch.
    Evenly,
}

/// A scalar of the loop as it would be without wrapping: in 64 bits.
#[derive(Clone, Copy, Debug)]
pub(super) struct AffineScalar {
    pub(super) along: Slope,
    /// Its value in the first iteration.
    pub(super) first: LaneValue,
    /// Its value in the last, where `along` does not determine it.
    pub(super) last: Option<LaneValue>,
    /// If it is the counter plus a constant, or a constant alone: the constant.
    pub(super) offset: Option<i64>,
}

/// A 32-bit scalar, sign-extended, plus a constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WideSum {
    pub(super) of: LaneValue,
    pub(super) constant: i64,
}

/// A state to roll back to if an attempt fails.
pub(super) struct Checkpoint {
    nodes: usize,
    demanded: usize,
    limits: SortedMap<LimitBase, Limits>,
    length: Option<LaneValue>,
    offsets: usize,
    exact: usize,
    sums: usize,
}

/// Code hoisted before the loop.
pub(super) struct BoundsHoister<'p> {
    pub(super) pass: &'p mut VersionPass,
    pub(super) nodes: Vec<Node>,
    pub(super) counter: LaneValue,
    pub(super) step: i64,
    pub(super) inside: HashSet<LaneValue>,
    pub(super) first: LaneValue,
    /// The exclusive upper bound of the counter.
    pub(super) bound: LaneValue,
    /// The difference between the last count and the first.
    pub(super) length: Option<LaneValue>,
    /// 64-bit scalars that equal the counter plus a constant, as long as the other conditions hold.
    pub(super) offsets: Vec<(LaneValue, i64)>,
    /// 64-bit scalars that equal a sum of the counter and of scalars from before the loop, in the same way.
    pub(super) exact: Vec<(LaneValue, Sum)>,
    /// 64-bit scalars that equal a 32-bit one plus a constant, in the same way.
    pub(super) sums: Vec<(LaneValue, WideSum)>,
    pub(super) lines: HashMap<LaneValue, AffineScalar>,
    pub(super) ranges: HashMap<LaneValue, (i64, i64)>,
    pub(super) written: HashMap<LaneInst, LaneValue>,
    /// Conditions that must hold in all iterations.
    pub(super) demanded: Vec<LaneValue>,
    pub(super) limits: SortedMap<LimitBase, Limits>,
}

impl<'p> BoundsHoister<'p> {
    pub(super) fn new(
        pass: &'p mut VersionPass,
        counter: &Counter,
        param: LaneValue,
        first: LaneValue,
        inside: HashSet<LaneValue>,
    ) -> BoundsHoister<'p> {
        let mut judge = BoundsHoister {
            pass,
            nodes: Vec::new(),
            counter: param,
            step: counter.step,
            inside,
            first,
            bound: counter.bound,
            length: None,
            offsets: Vec::new(),
            exact: Vec::new(),
            sums: Vec::new(),
            lines: HashMap::default(),
            ranges: HashMap::default(),
            written: HashMap::default(),
            demanded: Vec::new(),
            limits: SortedMap::new(),
        };
        judge.first = judge.wide(first, Scalar::I32);
        judge.bound = judge.wide(counter.bound, Scalar::I32);
        // Counts and their differences do not wrap, nor does the next count.
        for end in [judge.first, judge.bound] {
            judge.demand_moderate(end);
            // All counts are between these, and then have the same order with sign and without.
            if counter.unsigned && !fault::planted(Fault::UnsignedCountOfAnySize) {
                let zero = judge.constant(0);
                let holds = judge.condition(LimitSide::AtLeast, end, zero);
                judge.demand(holds);
            }
        }
        if counter.or_equal {
            let one = judge.constant(1);
            judge.bound = judge.op(NumberOp::Add, &[judge.bound, one]);
        }
        if judge.pass.types[param.index()].elem() == Elem::I32 && !fault::planted(Fault::CounterMayWrap) {
            // No count may wrap: the loop would continue with counts below the first one. A loop is
            // tested at its end, so the count after the first one may wrap too, whatever the bound.
            for (last, step) in [(judge.bound, counter.step - 1), (judge.first, counter.step)] {
                let step = judge.constant(step);
                let next = judge.op(NumberOp::Add, &[last, step]);
                let limit = judge.constant(1 << 31);
                let holds = judge.condition(LimitSide::Below, next, limit);
                judge.demand(holds);
            }
        }
        judge
    }

    /// Finds the conditions that can be hoisted, and hoists them.
    pub(super) fn guards(&mut self, block: &LaneBlock, free: &mut HashSet<LaneValue>) {
        for node in &block.nodes {
            let Node::If { condition, then, otherwise, likely, .. } = node else { continue };
            if likely.is_then() && !free.contains(condition) {
                let before = self.mark();
                if self.judge(*condition).is_some() {
                    free.insert(*condition);
                } else {
                    self.back_to(before);
                }
            }
            self.guards(then, free);
            self.guards(otherwise, free);
        }
    }

    /// Judges the widened forms of the indices that conditions compare in 32 bits: addresses are computed
    /// from them.
    pub(super) fn widened(&mut self, block: &LaneBlock) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst: LaneInst::Op { op, args, .. }, .. } => {
                    if let (SumOp::Convert(IntegerType::I64 | IntegerType::U64), [of]) = (sum_op(*op), args.as_slice())
                        && self.lines.contains_key(of)
                        && !self.lines.contains_key(value)
                    {
                        let before = self.mark();
                        if self.line(*value).is_none() {
                            self.back_to(before);
                        }
                    }
                }
                Node::If { then, likely, .. } if likely.is_then() => self.widened(then),
                Node::Let { .. }
                | Node::Do { .. }
                | Node::If { .. }
                | Node::Loop { .. }
                | Node::Exit { .. }
                | Node::Poll => {}
            }
        }
    }

    pub(super) fn mark(&self) -> Checkpoint {
        let (nodes, demanded) = (self.nodes.len(), self.demanded.len());
        let (offsets, exact, sums) = (self.offsets.len(), self.exact.len(), self.sums.len());
        Checkpoint { nodes, demanded, limits: self.limits.clone(), length: self.length, offsets, exact, sums }
    }

    /// Rolls back to a checkpoint.
    pub(super) fn back_to(&mut self, mark: Checkpoint) {
        self.nodes.truncate(mark.nodes);
        self.demanded.truncate(mark.demanded);
        (self.limits, self.length) = (mark.limits, mark.length);
        self.offsets.truncate(mark.offsets);
        self.exact.truncate(mark.exact);
        self.sums.truncate(mark.sums);
        self.lines.clear();
        self.written.clear();
    }

    fn judge(&mut self, condition: LaneValue) -> Option<()> {
        if !self.inside.contains(&condition) {
            self.demand(condition);
            return Some(());
        }
        let LaneInst::Op { op, scalar, args } = self.pass.defs.get(&condition)?.clone() else { return None };
        if let (MaskOp::Not, &[any]) = (mask_op(op), args.as_slice()) {
            return self.no_lane(any);
        }
        let &[a, b] = args.as_slice() else { return None };
        match (mask_op(op), scalar) {
            (MaskOp::And, Scalar::Bool) => {
                self.judge(a)?;
                self.judge(b)
            }
            (MaskOp::Compare(Comparison::Lt | Comparison::Ge), Scalar::I64)
            | (MaskOp::Compare(Comparison::Lt), Scalar::U32) => {
                let side = if op == Op::Lt { LimitSide::Below } else { LimitSide::AtLeast };
                let line = self.line(a)?;
                let limit = if self.inside.contains(&b) {
                    let limit = self.line(b)?;
                    (limit.along == Slope::Same).then_some(limit.first)?
                } else {
                    self.wide(b, scalar)
                };
                self.demand_moderate(limit);
                if scalar == Scalar::U32 && !fault::planted(Fault::UnsignedLimitOneSide) {
                    self.at_least(line, 0);
                }
                self.holds(side, line, limit);
                Some(())
            }
            (MaskOp::And | MaskOp::Or | MaskOp::Not | MaskOp::Compare(_) | MaskOp::Other, _) => None,
        }
    }

    /// A scalar of the loop as an affine scalar; `None` if it is not affine. Demands the conditions
    /// that keep intermediates from wrapping.
    pub(super) fn line(&mut self, value: LaneValue) -> Option<AffineScalar> {
        with_block(|| self.line_here(value))
    }

    fn line_here(&mut self, value: LaneValue) -> Option<AffineScalar> {
        if value == self.counter {
            return Some(AffineScalar { along: Slope::By(1), first: self.first, last: None, offset: Some(0) });
        }
        if let Some(&known) = self.lines.get(&value) {
            return Some(known);
        }
        if self.pass.types[value.index()].is_lanes() {
            return None;
        }
        let line = if !self.inside.contains(&value) || self.pass.number(value).is_some() {
            self.same(value)
        } else {
            let LaneInst::Op { op, scalar, args } = self.pass.defs.get(&value)?.clone() else { return None };
            let sum = sum_op(op);
            match (sum, args.as_slice()) {
                (SumOp::Add | SumOp::Sub | SumOp::Mul, &[a, b]) if scalar.is_integer() => {
                    let op = match sum {
                        SumOp::Add => NumberOp::Add,
                        SumOp::Sub => NumberOp::Sub,
                        SumOp::Mul => NumberOp::Mul,
                        SumOp::Convert(_) | SumOp::Other => return None,
                    };
                    let (x, y) = (self.line(a)?, self.line(b)?);
                    if op == NumberOp::Mul {
                        [x, y].into_iter().for_each(|line| self.within_at_ends(line));
                    }
                    let line = self.arithmetic(op, (x, self.pass.number(a)), (y, self.pass.number(b)))?;
                    // No 64-bit result wraps either: then it is affine, and lies between its ends.
                    match (scalar.bits(), op) {
                        (32, _) => self.within(line),
                        // Its operands fit in 32 bits.
                        (_, NumberOp::Mul) => {}
                        (_, NumberOp::Add | NumberOp::Sub) => {
                            [x, y].into_iter().for_each(|line| self.moderate(line));
                        }
                        (_, NumberOp::Div | NumberOp::Min | NumberOp::Max) => return None,
                    }
                    line
                }
                (SumOp::Convert(IntegerType::I64 | IntegerType::U64), &[a])
                    if matches!(scalar, Scalar::I32 | Scalar::U32) =>
                {
                    let line = self.line(a)?;
                    if scalar == Scalar::U32 {
                        self.at_least(line, 0);
                    }
                    if let (Slope::By(1), Some(offset)) = (line.along, line.offset) {
                        self.offsets.push((value, offset));
                    } else if let Some(sum) = self.exact_sum(a, &mut { MOST_VISITS }) {
                        self.exact.push((value, sum));
                    } else {
                        self.sums.push((value, self.wide_sum(a)));
                    }
                    line
                }
                (SumOp::Convert(IntegerType::I32 | IntegerType::U32), &[a]) if scalar.is_integer() => {
                    let line = self.line(a)?;
                    self.within(line);
                    line
                }
                (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, _) => return None,
            }
        };
        self.lines.insert(value, line);
        Some(line)
    }

    /// A scalar of the loop as a sum of the counter and of scalars from before the loop. Its line is known,
    /// so none of the sums in it wraps, and conversions keep their value.
    fn exact_sum(&self, value: LaneValue, visits: &mut u32) -> Option<Sum> {
        *visits = visits.checked_sub(1)?;
        if let Some(number) = self.pass.number(value) {
            return Some(Sum::number(number));
        }
        if value == self.counter || !self.inside.contains(&value) {
            return Some(Sum::of(value));
        }
        let LaneInst::Op { op, args, .. } = self.pass.defs.get(&value)? else { return None };
        let mut sum = |value| self.exact_sum(value, visits);
        match (sum_op(*op), args.as_slice()) {
            (SumOp::Add, &[a, b]) => sum(a)?.plus(&sum(b)?, 1, TERMS),
            (SumOp::Sub, &[a, b]) => sum(a)?.plus(&sum(b)?, -1, TERMS),
            (SumOp::Mul, &[a, b]) => match (self.pass.number(a), self.pass.number(b)) {
                (_, Some(by)) => Some(sum(a)?.times(by)),
                (Some(by), None) => Some(sum(b)?.times(by)),
                (None, None) => None,
            },
            (SumOp::Convert(_), &[a]) => sum(a),
            (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, _) => None,
        }
    }

    /// A 32-bit scalar of the loop without the constants that are added to it there. Its line is
    /// known, so none of these sums wraps; of what was computed before the loop nothing is known.
    fn wide_sum(&self, value: LaneValue) -> WideSum {
        let mut sum = WideSum { of: value, constant: 0 };
        while self.inside.contains(&sum.of)
            && let Some(LaneInst::Op { op, args, .. }) = self.pass.defs.get(&sum.of)
            && let &[a, b] = args.as_slice()
        {
            let kind = sum_op(*op);
            (sum.of, sum.constant) = match (self.pass.number(a), self.pass.number(b)) {
                (_, Some(by)) if kind == SumOp::Add => (a, sum.constant + by),
                (_, Some(by)) if kind == SumOp::Sub => (a, sum.constant - by),
                (Some(by), None) if kind == SumOp::Add => (b, sum.constant + by),
                (Some(_) | None, Some(_) | None) => break,
            };
        }
        sum
    }

    fn same(&mut self, value: LaneValue) -> AffineScalar {
        let first = match self.pass.number(value) {
            Some(number) => self.constant(number),
            None => self.wide(value, Scalar::I32),
        };
        AffineScalar { along: Slope::Same, first, last: None, offset: None }
    }

    /// A sum, difference or product; each operand with its constant, if it has one.
    fn arithmetic(
        &mut self,
        op: NumberOp,
        x: (AffineScalar, Option<i64>),
        y: (AffineScalar, Option<i64>),
    ) -> Option<AffineScalar> {
        let along = match (op, x.0.along, y.0.along) {
            (_, Slope::Same, Slope::Same) => Slope::Same,
            (NumberOp::Mul, Slope::Same, other) => x.1.map_or(Some(Slope::Evenly), |by| other.times(by))?,
            (NumberOp::Mul, other, Slope::Same) => y.1.map_or(Some(Slope::Evenly), |by| other.times(by))?,
            (NumberOp::Mul, ..) => return None,
            (_, one, Slope::Same) => one,
            (NumberOp::Add, Slope::Same, other) => other,
            (_, Slope::Same, other) => other.times(-1)?,
            (_, Slope::By(a), Slope::By(b)) if op == NumberOp::Add => Slope::By(a.checked_add(b)?),
            (_, Slope::By(a), Slope::By(b)) if fault::planted(Fault::DifferenceHasSlopeOfSum) => {
                Slope::By(a.checked_add(b)?)
            }
            (_, Slope::By(a), Slope::By(b)) => Slope::By(a.checked_sub(b)?),
            (_, Slope::By(_) | Slope::Evenly, Slope::Evenly) | (_, Slope::Evenly, Slope::By(_)) => Slope::Evenly,
        };
        let along = if along == Slope::By(0) { Slope::Evenly } else { along };
        let offset = match op {
            NumberOp::Add => x.0.number(x.1).zip(y.0.number(y.1)).and_then(|(a, b)| a.checked_add(b)),
            NumberOp::Sub => x.0.number(x.1).zip(y.0.number(y.1)).and_then(|(a, b)| a.checked_sub(b)),
            NumberOp::Mul | NumberOp::Div | NumberOp::Min | NumberOp::Max => None,
        };
        let offset = offset.filter(|offset| matches!(along, Slope::By(1 | -1)) && offset.unsigned_abs() < 1 << 40);
        let first = self.op(op, &[x.0.first, y.0.first]);
        let last = match along {
            Slope::Evenly => {
                let ends = [self.last(x.0), self.last(y.0)];
                Some(self.op(op, &ends))
            }
            Slope::Same | Slope::By(_) => None,
        };
        Some(AffineScalar { along, first, last, offset })
    }

    /// The value of a line in the last iteration.
    pub(super) fn last(&mut self, line: AffineScalar) -> LaneValue {
        match (line.along, line.last) {
            (_, Some(last)) => last,
            (Slope::By(by), None) => {
                let length = self.length();
                let by = self.constant(by);
                let more = self.op(NumberOp::Mul, &[length, by]);
                self.op(NumberOp::Add, &[line.first, more])
            }
            (Slope::Same | Slope::Evenly, None) => line.first,
        }
    }

    /// The difference between the last count and the first.
    fn length(&mut self) -> LaneValue {
        if let Some(length) = self.length {
            return length;
        }
        let (one, step) = (self.constant(1), self.constant(self.step));
        let span = self.op(NumberOp::Sub, &[self.bound, self.first]);
        let mut length = self.op(NumberOp::Sub, &[span, one]);
        if fault::planted(Fault::LastRoundOneEarly) {
            length = self.op(NumberOp::Sub, &[length, step]);
        }
        if self.step > 1 {
            let rounds = self.op(NumberOp::Div, &[length, step]);
            length = self.op(NumberOp::Mul, &[rounds, step]);
        }
        self.length = Some(length);
        length
    }

    /// Is the loop known to have few iterations?
    pub(super) fn is_short(&self) -> bool {
        let (first, bound) = (self.range(self.first).0, self.range(self.bound).1);
        bound.saturating_sub(first) / self.step < SHORT
    }

    /// The condition that everything holds in all iterations, and that the loop is short if `short`
    /// is set.
    pub(super) fn in_all_rounds(&mut self, counts: &IterationCounts, short: bool) -> LaneValue {
        let line = AffineScalar { along: Slope::By(1), first: self.first, last: None, offset: Some(0) };
        let last = self.last(line);
        let mut holds = counts.always;
        let mut also = |judge: &mut Self, op, a, b| {
            let condition = judge.condition(op, a, b);
            holds = judge.both(holds, condition);
        };
        also(self, LimitSide::Below, self.first, self.bound);
        if let Some(low) = counts.low {
            also(self, LimitSide::AtLeast, self.first, low);
        }
        if let Some(high) = counts.high {
            also(self, LimitSide::Below, last, high);
        }
        if short && !counts.short {
            let step = self.constant(self.step);
            let length = self.length();
            let (rounds, most) = (self.op(NumberOp::Div, &[length, step]), self.constant(SHORT));
            also(self, LimitSide::Below, rounds, most);
        }
        holds
    }
}

impl AffineScalar {
    /// The constant part, if the rest is the counter; `known` is the constant if it is
    /// loop-invariant.
    fn number(&self, known: Option<i64>) -> Option<i64> {
        if self.along == Slope::Same { known } else { self.offset }
    }

    /// Does it decrease by 1 when the counter increases by 1?
    pub(super) fn goes_against(&self) -> bool {
        self.along == Slope::By(-1)
    }
}

impl Slope {
    /// The slope of the product with a constant.
    fn times(self, by: i64) -> Option<Slope> {
        Some(match self {
            Slope::By(step) => Slope::By(step.checked_mul(by)?),
            Slope::Same | Slope::Evenly => self,
        })
    }
}
