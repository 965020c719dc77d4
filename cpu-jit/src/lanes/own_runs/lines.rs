//! Values that grow by a scalar from lane to lane, and what has to hold for a block of iterations.
//!
//! The index of `v[i * n + k]` is a line: it begins with a scalar in lane 0, and grows by `n`, another
//! one. So is the offset of `v[(i, k)]`, with the bytes of a row. Both are computed as the lanes compute
//! them, with 32 bits. At the beginning of a block it is asked, with 64 bits, whether the line wraps in
//! any lane or iteration of the block, whether its runs are so far apart that blocks do not overlap, and
//! whether each mask that compares a line with a limit holds everywhere. If not, the loop goes on as it
//! was.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::pos::Pos;
use tilewise_ir::types::Scalar;

use super::{OwnRun, RunLoop, RunReader};
use crate::hash::HashMap;
use crate::lanes::classes::{MaskOp, SumOp, mask_op, sum_op};
use crate::lanes::program::{AddressStep, Elem, LaneInst, LaneType, LaneValue, Node};
use crate::lanes::walk::operands_mut;

/// Most operations of the conditions of a run.
const MOST_OPERATIONS: usize = 64;

/// The largest step of an iteration that is considered.
const LONGEST_STEP: i64 = 1 << 16;

/// A place in the code where values are computed that the loop has in the iteration that begins there.
pub(super) struct RunScope<'r> {
    pub(super) runs: &'r RunLoop,
    /// The values there, by those of the loop.
    pub(super) names: HashMap<LaneValue, LaneValue>,
    /// The iterations before it, an `i64`; `None` if there are none.
    pub(super) before: Option<LaneValue>,
    pub(super) nodes: Vec<Node>,
    left: usize,
}

impl<'r> RunScope<'r> {
    pub(super) fn new(runs: &'r RunLoop, names: HashMap<LaneValue, LaneValue>, before: Option<LaneValue>) -> Self {
        RunScope { runs, names, before, nodes: Vec::new(), left: usize::MAX }
    }

    /// Counts an operation; `None` if there are too many.
    pub(super) fn spend(&mut self) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        Some(())
    }

    /// A place of which only is asked whether values can be computed there.
    pub(super) fn trial(runs: &'r RunLoop) -> Self {
        let names = runs.steps.keys().map(|&param| (param, param)).collect();
        let before = runs.steps.keys().next().copied();
        RunScope { left: MOST_OPERATIONS, ..RunScope::new(runs, names, before) }
    }
}

/// A coefficient of a line.
#[derive(Clone, Copy)]
pub(super) enum LineFactor {
    Zero,
    One,
    Scalar(LaneValue),
}

/// A value of 32 bits of each lane that is a sum in wrapping numbers: of the first, and of `by` for each
/// lane before it.
#[derive(Clone, Copy)]
pub(super) struct LaneLine {
    pub(super) first: LineFactor,
    pub(super) by: LineFactor,
    /// What it grows by in each iteration.
    pub(super) growth: i64,
    /// The number that it always is, if it is one.
    number: Option<i64>,
}

impl RunReader<'_> {
    /// A scalar that the loop computes, at a place.
    pub(super) fn scalar(&mut self, value: LaneValue, scope: &mut RunScope<'_>) -> Option<LaneValue> {
        if let Some(&named) = scope.names.get(&value) {
            return Some(named);
        }
        if !scope.runs.inside.contains(&value) {
            return Some(value);
        }
        scope.left = scope.left.checked_sub(1)?;
        let mut inst = self.pure.get(&value)?.clone();
        if !matches!(inst, LaneInst::Op { .. } | LaneInst::Const(_)) || self.program.ty(value).is_lanes() {
            return None;
        }
        let mut known = true;
        operands_mut(&mut inst, &mut |operand| match self.scalar(*operand, scope) {
            Some(named) => *operand = named,
            None => known = false,
        });
        let named = known.then(|| self.define(inst, self.program.ty(value), &mut scope.nodes))?;
        scope.names.insert(value, named);
        Some(named)
    }

    /// A value of lanes as a line, at a place.
    pub(super) fn line(&mut self, value: LaneValue, scope: &mut RunScope<'_>) -> Option<LaneLine> {
        scope.left = scope.left.checked_sub(1)?;
        if self.program.ty(value) != LaneType::Lanes(Elem::I32) {
            return None;
        }
        if let Some(&(first, step)) = scope.runs.steps.get(&value) {
            return self.line_of_param(first, step, scope);
        }
        let inst = self.pure.get(&value)?.clone();
        if inst == LaneInst::Lane {
            return Some(LaneLine { first: LineFactor::Zero, by: LineFactor::One, growth: 0, number: None });
        }
        if let LaneInst::Splat(scalar) = inst {
            let mut left = super::LONGEST_CHAIN;
            let growth = self.growth(scalar, scope.runs, &mut left)?;
            let first = LineFactor::Scalar(self.scalar(scalar, scope)?);
            return Some(LaneLine { first, by: LineFactor::Zero, growth, number: self.constant(scalar) });
        }
        let LaneInst::Op { op, scalar: Scalar::I32 | Scalar::U32, args } = inst else { return None };
        let &[a, b] = args.as_slice() else { return None };
        match sum_op(op) {
            SumOp::Add => self.sum_of_lines(Op::Add, [a, b], scope),
            SumOp::Sub => self.sum_of_lines(Op::Sub, [a, b], scope),
            SumOp::Mul => self.product_of_lines([a, b], scope),
            SumOp::Convert(_) | SumOp::Other => None,
        }
    }

    /// A parameter of lanes that grows by a constant.
    fn line_of_param(&mut self, first: LaneValue, step: i64, scope: &mut RunScope<'_>) -> Option<LaneLine> {
        let line = self.line(first, scope)?;
        let first = match scope.before.filter(|_| !fault::planted(Fault::OwnRunCounterStale)) {
            None => line.first,
            Some(before) => {
                let count = self.op(Op::ToI32, Scalar::I64, &[before], Elem::I32, &mut scope.nodes);
                let step = self.small_number(step, scope);
                let by = self.op(Op::Mul, Scalar::I32, &[count, step], Elem::I32, &mut scope.nodes);
                self.combined(Op::Add, line.first, LineFactor::Scalar(by), scope)
            }
        };
        Some(LaneLine { first, growth: step, number: None, ..line })
    }

    fn sum_of_lines(&mut self, op: Op, [a, b]: [LaneValue; 2], scope: &mut RunScope<'_>) -> Option<LaneLine> {
        let (a, b) = (self.line(a, scope)?, self.line(b, scope)?);
        let growth = if op == Op::Add { a.growth.checked_add(b.growth)? } else { a.growth.checked_sub(b.growth)? };
        let (first, by) = (self.combined(op, a.first, b.first, scope), self.combined(op, a.by, b.by, scope));
        Some(LaneLine { first, by, growth, number: None })
    }

    fn product_of_lines(&mut self, [a, b]: [LaneValue; 2], scope: &mut RunScope<'_>) -> Option<LaneLine> {
        let (a, b) = (self.line(a, scope)?, self.line(b, scope)?);
        let is_factor = |line: &LaneLine| matches!(line.by, LineFactor::Zero) && line.growth == 0;
        let (line, factor) = if is_factor(&b) { (a, b) } else { (b, a) };
        if !is_factor(&factor) {
            return None;
        }
        let growth = match line.growth {
            0 => 0,
            growth => growth.checked_mul(factor.number?)?,
        };
        let (first, by) = (
            self.combined(Op::Mul, line.first, factor.first, scope),
            self.combined(Op::Mul, line.by, factor.first, scope),
        );
        Some(LaneLine { first, by, growth, number: None })
    }

    /// The sum, difference or product of two coefficients.
    fn combined(&mut self, op: Op, a: LineFactor, b: LineFactor, scope: &mut RunScope<'_>) -> LineFactor {
        match (op, a, b) {
            (Op::Mul, LineFactor::Zero, _) | (Op::Mul, _, LineFactor::Zero) => LineFactor::Zero,
            (Op::Mul, LineFactor::One, other) | (Op::Mul, other, LineFactor::One) => other,
            (Op::Add, LineFactor::Zero, other) | (_, other, LineFactor::Zero) => other,
            (_, a, b) => {
                let args = [self.factor(a, scope), self.factor(b, scope)];
                LineFactor::Scalar(self.op(op, Scalar::I32, &args, Elem::I32, &mut scope.nodes))
            }
        }
    }

    fn factor(&mut self, factor: LineFactor, scope: &mut RunScope<'_>) -> LaneValue {
        match factor {
            LineFactor::Zero => self.small_number(0, scope),
            LineFactor::One => self.small_number(1, scope),
            LineFactor::Scalar(value) => value,
        }
    }

    fn small_number(&mut self, number: i64, scope: &mut RunScope<'_>) -> LaneValue {
        let bits = u64::from(number as u32);
        self.define(LaneInst::Const(bits), LaneType::Scalar(Elem::I32), &mut scope.nodes)
    }

    /// A coefficient as a number without a sign, with 64 bits.
    pub(super) fn long(&mut self, factor: LineFactor, scope: &mut RunScope<'_>) -> LaneValue {
        match factor {
            LineFactor::Zero => self.number(0, &mut scope.nodes),
            LineFactor::One => self.number(1, &mut scope.nodes),
            LineFactor::Scalar(value) => self.op(Op::ToI64, Scalar::U32, &[value], Elem::I64, &mut scope.nodes),
        }
    }

    /// What has to hold where a block begins, for a run: all that is asked is true. `None` if that
    /// cannot be asked.
    pub(super) fn asks(&mut self, run: &OwnRun, scope: &mut RunScope<'_>) -> Option<Vec<LaneValue>> {
        let mut asked = Vec::new();
        if let AddressStep::Each(offsets) = run.at.along {
            let line = self.line(offsets, scope)?;
            let limit = self.number(1 << 32, &mut scope.nodes);
            asked.push(self.stays_below(line, limit, scope)?);
            let apart = self.number(scope.runs.length.max(1) * i64::from(run.at.stored.size()), &mut scope.nodes);
            let by = self.long(line.by, scope);
            asked.push(self.op(Op::Le, Scalar::I64, &[apart, by], Elem::Bool, &mut scope.nodes));
        }
        for &mask in &run.masks {
            self.mask_holds(mask, scope, &mut asked)?;
        }
        Some(asked)
    }

    /// Does a mask hold in all lanes and iterations of a block?
    fn mask_holds(&mut self, mask: LaneValue, scope: &mut RunScope<'_>, asked: &mut Vec<LaneValue>) -> Option<()> {
        scope.left = scope.left.checked_sub(1)?;
        let inst = self.pure.get(&mask)?.clone();
        if let LaneInst::Splat(condition) = inst {
            return self.condition_holds(condition, scope, asked);
        }
        let LaneInst::Op { op, scalar, args } = inst else { return None };
        let &[a, b] = args.as_slice() else { return None };
        match (mask_op(op), scalar) {
            (MaskOp::And, Scalar::Bool) => {
                self.mask_holds(a, scope, asked)?;
                self.mask_holds(b, scope, asked)
            }
            (MaskOp::Compare(Comparison::Lt), Scalar::U32) => {
                let limit =
                    self.line(b, scope).filter(|line| matches!(line.by, LineFactor::Zero) && line.growth == 0)?;
                let (line, limit) = (self.line(a, scope)?, self.long(limit.first, scope));
                let below = self.stays_below(line, limit, scope)?;
                if !fault::planted(Fault::OwnRunMaskAssumed) {
                    asked.push(below);
                }
                Some(())
            }
            (MaskOp::And | MaskOp::Or | MaskOp::Not | MaskOp::Compare(_) | MaskOp::Other, _) => None,
        }
    }

    /// Does a condition that all lanes share hold in all iterations of a block?
    fn condition_holds(
        &mut self,
        condition: LaneValue,
        scope: &mut RunScope<'_>,
        asked: &mut Vec<LaneValue>,
    ) -> Option<()> {
        if !scope.runs.inside.contains(&condition) {
            asked.push(condition);
            return Some(());
        }
        scope.left = scope.left.checked_sub(1)?;
        let LaneInst::Op { op, scalar, args } = self.pure.get(&condition)?.clone() else { return None };
        let &[a, b] = args.as_slice() else { return None };
        match (mask_op(op), scalar) {
            (MaskOp::And, Scalar::Bool) => {
                self.condition_holds(a, scope, asked)?;
                self.condition_holds(b, scope, asked)
            }
            (MaskOp::Compare(Comparison::Lt), Scalar::U32) => {
                let [growth, of_limit] = [a, b].map(|value| {
                    let mut left = super::LONGEST_CHAIN;
                    self.growth(value, scope.runs, &mut left)
                });
                of_limit.filter(|&growth| growth == 0)?;
                let first = LineFactor::Scalar(self.scalar(a, scope)?);
                let line = LaneLine { first, by: LineFactor::Zero, growth: growth?, number: None };
                let limit = LineFactor::Scalar(self.scalar(b, scope)?);
                let limit = self.long(limit, scope);
                let below = self.stays_below(line, limit, scope)?;
                asked.push(below);
                Some(())
            }
            (MaskOp::And | MaskOp::Or | MaskOp::Not | MaskOp::Compare(_) | MaskOp::Other, _) => None,
        }
    }

    /// Does a line stay below a number, up to 2^32, in all lanes and iterations of a block?
    fn stays_below(&mut self, line: LaneLine, limit: LaneValue, scope: &mut RunScope<'_>) -> Option<LaneValue> {
        if !(0..=LONGEST_STEP).contains(&line.growth) {
            return None;
        }
        let (first, by) = (self.long(line.first, scope), self.long(line.by, scope));
        let lanes = self.number(i64::from(self.program.width) - 1, &mut scope.nodes);
        let iterations = self.number(line.growth * (scope.runs.length - 1).max(0), &mut scope.nodes);
        let across = self.op(Op::Mul, Scalar::I64, &[by, lanes], Elem::I64, &mut scope.nodes);
        let last = self.op(Op::Add, Scalar::I64, &[first, across], Elem::I64, &mut scope.nodes);
        let last = self.op(Op::Add, Scalar::I64, &[last, iterations], Elem::I64, &mut scope.nodes);
        Some(self.op(Op::Lt, Scalar::I64, &[last, limit], Elem::Bool, &mut scope.nodes))
    }

    pub(super) fn define(&mut self, inst: LaneInst, ty: LaneType, nodes: &mut Vec<Node>) -> LaneValue {
        let value = self.fresh(ty);
        nodes.push(Node::Let { value, inst, pos: Pos::NONE });
        value
    }

    pub(super) fn number(&mut self, number: i64, nodes: &mut Vec<Node>) -> LaneValue {
        self.define(LaneInst::Const(number as u64), LaneType::Scalar(Elem::I64), nodes)
    }

    pub(super) fn op(
        &mut self,
        op: Op,
        scalar: Scalar,
        args: &[LaneValue],
        elem: Elem,
        nodes: &mut Vec<Node>,
    ) -> LaneValue {
        self.define(LaneInst::Op { op, scalar, args: args.into() }, LaneType::Scalar(elem), nodes)
    }
}
