//! Masks that are mixed only in strips at an edge: `x == 0`, `x < last`.
//!
//! A mask that compares neighbouring lanes with one number is uniform in every strip except the one
//! that contains the number. The interval of the fast loop can exclude that strip, along with all
//! strips on one side of it. If the number is a small constant, those are the strips before it,
//! otherwise those after it. A condition that is uniform over a row and combined with such a mask
//! (`x == 0 || y == 0`) is assumed to have the usual value of the mask, unless it is uniform over
//! the whole launch.

use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::types::Scalar;

use super::judge::{AffineScalar, BoundsHoister};
use super::limits::LimitSide;
use crate::hash::{HashMap, HashSet};
use crate::lanes::classes::{IntegerType, MaskOp, SumOp, mask_op, sum_op};
use crate::lanes::program::{LaneBlock, LaneInst, LaneType, LaneValue, Node};

/// Masks that are uniform in all iterations of the fast loop, and reductions of them.
pub(super) type Fixed = HashMap<LaneValue, bool>;

impl BoundsHoister<'_> {
    /// Finds the masks of a block that can be fixed, and demands the conditions that fix them. Arms
    /// that `free` removes are ignored.
    pub(super) fn masks(&mut self, block: &LaneBlock, free: &HashSet<LaneValue>, fixed: &mut Fixed) {
        for node in &block.nodes {
            match node {
                Node::Let { value, inst, .. } => {
                    if let Some(truth) = self.mask(inst, fixed) {
                        fixed.insert(*value, truth);
                    }
                }
                Node::If { condition, then, otherwise, likely, .. } => {
                    let left_out = likely.is_then() && free.contains(condition);
                    if fixed.get(condition) != Some(&false) {
                        self.masks(then, free, fixed);
                    }
                    if !left_out && fixed.get(condition) != Some(&true) {
                        self.masks(otherwise, free, fixed);
                    }
                }
                Node::Loop { .. } | Node::Do { .. } | Node::Exit { .. } | Node::Poll => {}
            }
        }
    }

    fn mask(&mut self, inst: &LaneInst, fixed: &Fixed) -> Option<bool> {
        match inst {
            LaneInst::Any(mask) | LaneInst::All(mask) => fixed.get(mask).copied(),
            LaneInst::FirstLanes(count) => self.first_lanes(*count),
            LaneInst::Op { op, scalar, args } => self.operation(*op, *scalar, args, fixed),
            LaneInst::Const(_)
            | LaneInst::Input(_)
            | LaneInst::Arena(_)
            | LaneInst::Lane
            | LaneInst::Splat(_)
            | LaneInst::Whole { .. }
            | LaneInst::Select { .. }
            | LaneInst::LowestLane { .. }
            | LaneInst::Slide { .. }
            | LaneInst::ReciprocalRoot(_)
            | LaneInst::Load { .. }
            | LaneInst::Atomic { .. }
            | LaneInst::CompareExchange { .. } => None,
        }
    }

    fn operation(&mut self, op: Op, scalar: Scalar, args: &[LaneValue], fixed: &Fixed) -> Option<bool> {
        match (mask_op(op), scalar) {
            (MaskOp::Not, Scalar::Bool) => fixed.get(&args[0]).map(|truth| !truth),
            // `and` with true, `or` with false, is the other operand.
            (MaskOp::And, Scalar::Bool) => self.joined(true, args, fixed),
            (MaskOp::Or, Scalar::Bool) => self.joined(false, args, fixed),
            (MaskOp::Compare(Comparison::Eq), Scalar::I32 | Scalar::U32) => self.equal(args).map(|()| false),
            (MaskOp::Compare(Comparison::Ne), Scalar::I32 | Scalar::U32) => self.equal(args).map(|()| true),
            (MaskOp::Not | MaskOp::And | MaskOp::Or | MaskOp::Compare(_) | MaskOp::Other, _) => None,
        }
    }

    /// Two conditions joined by an operation of which `neutral` is the neutral element.
    fn joined(&mut self, neutral: bool, args: &[LaneValue], fixed: &Fixed) -> Option<bool> {
        let &[a, b] = args else { return None };
        match (fixed.get(&a), fixed.get(&b)) {
            (Some(&truth), _) | (_, Some(&truth)) if truth != neutral => Some(truth),
            (Some(_), Some(_)) => Some(neutral),
            (Some(_), None) => self.row(b, neutral),
            (None, Some(_)) => self.row(a, neutral),
            (None, None) => None,
        }
    }

    /// Demands that no lane of a mask is set, of which `any` tells whether one is.
    pub(super) fn no_lane(&mut self, any: LaneValue) -> Option<()> {
        let Some(LaneInst::Any(mask)) = self.pass.defs.get(&any) else { return None };
        let Some(LaneInst::Op { op: Op::Eq, scalar: Scalar::I32 | Scalar::U32, args }) = self.pass.defs.get(mask)
        else {
            return None;
        };
        self.equal(&args.clone())
    }

    /// Demands that no lane's number equals a value.
    fn equal(&mut self, args: &[LaneValue]) -> Option<()> {
        let &[a, b] = args else { return None };
        let (splat, lane) = if self.is_lane(a) { (b, a) } else { (a, b) };
        let Some(&LaneInst::Splat(number)) = self.pass.defs.get(&splat).filter(|_| self.is_lane(lane)) else {
            return None;
        };
        self.edge(number, |judge, line, before| match before {
            true => judge.limit(line, LimitSide::Below, 0),
            false => {
                let lanes = judge.pass.width - i64::from(fault::planted(Fault::EdgeStripIncluded));
                judge.limit(line, LimitSide::AtLeast, lanes);
            }
        })
    }

    /// The lanes whose number is below a value: all or none. A value that depends on the launch may
    /// split the row in half, so its mask is left as it is.
    fn first_lanes(&mut self, count: LaneValue) -> Option<bool> {
        let mut number = count;
        while let Some(LaneInst::Op { op: Op::Add, args, .. }) = self.pass.defs.get(&number)
            && self.pass.number(args[1]).is_some_and(|number| number.unsigned_abs() <= self.pass.width as u64)
        {
            number = args[0];
        }
        let Some(LaneInst::Op { op: Op::Sub, args, .. }) = self.pass.defs.get(&number) else { return None };
        if !self.is_at_an_end(args[0]) {
            return None;
        }
        let mut all = false;
        self.edge(count, |judge, line, before| {
            all = !before;
            match before {
                true => judge.limit(line, LimitSide::Below, 1),
                false => judge.limit(line, LimitSide::AtLeast, judge.pass.width),
            }
        })?;
        Some(all)
    }

    /// A number of the loop with slope -1, which lies in only one strip: is that strip before the
    /// others?
    fn edge(&mut self, number: LaneValue, demand: impl FnOnce(&mut Self, AffineScalar, bool)) -> Option<()> {
        if !self.inside.contains(&number) {
            return None;
        }
        let before = self.mark();
        let Some(line) = self.line(number).filter(AffineScalar::goes_against) else {
            self.back_to(before);
            return None;
        };
        let small = line.offset.is_some_and(|offset| offset <= self.pass.width);
        demand(self, line, small);
        Some(())
    }

    /// Assumes the value of a condition that is uniform over a row; not of one that is uniform over
    /// the launch, which may always have the other value.
    fn row(&mut self, mask: LaneValue, truth: bool) -> Option<bool> {
        let Some(&LaneInst::Splat(scalar)) = self.pass.defs.get(&mask) else { return None };
        if self.inside.contains(&scalar) || !self.pass.of_a_row.contains(&scalar) {
            return None;
        }
        let demanded = if truth { scalar } else { self.opposite(scalar) };
        if !fault::planted(Fault::RowConditionAssumed) {
            self.demand(demanded);
        }
        Some(truth)
    }

    /// Is it a small number, or close to an extent?
    fn is_at_an_end(&self, value: LaneValue) -> bool {
        if let Some(number) = self.pass.number(value) {
            return number <= self.pass.width;
        }
        if let Some(LaneInst::Op { op, args, .. }) = self.pass.defs.get(&value) {
            match sum_op(*op) {
                SumOp::Convert(IntegerType::I64 | IntegerType::U64) => return self.is_at_an_end(args[0]),
                SumOp::Add | SumOp::Sub => {
                    let near =
                        self.pass.number(args[1]).is_some_and(|number| number.unsigned_abs() <= self.pass.width as u64);
                    return near && self.pass.number(args[0]).is_none() && self.is_at_an_end(args[0]);
                }
                SumOp::Mul | SumOp::Convert(IntegerType::I32 | IntegerType::U32) | SumOp::Other => {}
            }
        }
        self.pass.is_extent(value)
    }

    fn is_lane(&self, value: LaneValue) -> bool {
        matches!(self.pass.defs.get(&value), Some(LaneInst::Lane))
            && matches!(self.pass.types[value.index()], LaneType::Lanes(_))
    }
}
