//! 64-bit computations before the loop: constant folding, value numbering and ranges.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::judge::BoundsHoister;
use super::limits::LimitSide;
use crate::lanes::program::{Args, Elem, LaneInst, LaneType, LaneValue};

/// 64-bit operations computed before a loop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NumberOp {
    Add,
    Sub,
    Mul,
    Div,
    Min,
    Max,
}

impl NumberOp {
    const fn op(self) -> Op {
        match self {
            NumberOp::Add => Op::Add,
            NumberOp::Sub => Op::Sub,
            NumberOp::Mul => Op::Mul,
            NumberOp::Div => Op::Div,
            NumberOp::Min => Op::Min,
            NumberOp::Max => Op::Max,
        }
    }
}

impl BoundsHoister<'_> {
    /// The minimum and maximum of a 64-bit number.
    pub(super) fn range(&self, value: LaneValue) -> (i64, i64) {
        if let Some(&known) = self.ranges.get(&value) {
            return known;
        }
        if let Some(number) = self.pass.number(value) {
            return (number, number);
        }
        let Some(LaneInst::Op { op: Op::ToI64 | Op::ToU64, scalar: scalar @ (Scalar::I32 | Scalar::U32), args }) =
            self.pass.defs.get(&value)
        else {
            return (i64::MIN, i64::MAX);
        };
        match (self.pass.is_extent(args[0]), *scalar == Scalar::U32) {
            (true, _) => (0, i32::MAX.into()),
            (false, true) => (0, u32::MAX.into()),
            (false, false) => (i32::MIN.into(), i32::MAX.into()),
        }
    }

    pub(super) fn constant(&mut self, n: i64) -> LaneValue {
        self.put(LaneInst::Const(n as u64), LaneType::Scalar(Elem::I64))
    }

    pub(super) fn truth(&mut self, truth: bool) -> LaneValue {
        self.put(LaneInst::Const(truth.into()), LaneType::Scalar(Elem::Bool))
    }

    fn put(&mut self, inst: LaneInst, ty: LaneType) -> LaneValue {
        // Constants of two types can have the same bits.
        if let Some(&value) = self.written.get(&inst).filter(|value| self.pass.types[value.index()] == ty) {
            return value;
        }
        let value = self.pass.fresh(ty);
        self.written.insert(inst.clone(), value);
        self.pass.define(value, inst, &mut self.nodes);
        value
    }

    pub(super) fn computed(&mut self, op: Op, scalar: Scalar, args: &[LaneValue], ty: LaneType) -> LaneValue {
        if let Some(bits) = op.fold(scalar, args.iter().map(|&arg| self.pass.bits(arg))) {
            return self.put(LaneInst::Const(bits), ty);
        }
        self.put(LaneInst::Op { op, scalar, args: Args::from_slice(args) }, ty)
    }

    pub(super) fn op(&mut self, op: NumberOp, args: &[LaneValue]) -> LaneValue {
        let ranges: Vec<(i64, i64)> = args.iter().map(|&arg| self.range(arg)).collect();
        if let (&[a, b], &[x, y]) = (args, ranges.as_slice()) {
            match op {
                NumberOp::Add if x == (0, 0) => return b,
                NumberOp::Add | NumberOp::Sub if y == (0, 0) => return a,
                NumberOp::Mul if y == (1, 1) => return a,
                NumberOp::Div if y == (1, 1) => return a,
                NumberOp::Min if a == b || x.1 <= y.0 => return a,
                NumberOp::Min if y.1 <= x.0 => return b,
                NumberOp::Max if a == b || x.0 >= y.1 => return a,
                NumberOp::Max if y.0 >= x.1 => return b,
                NumberOp::Add | NumberOp::Sub | NumberOp::Mul | NumberOp::Div | NumberOp::Min | NumberOp::Max => {}
            }
        }
        let value = self.computed(op.op(), Scalar::I64, args, LaneType::Scalar(Elem::I64));
        if let &[(a, b), (c, d)] = ranges.as_slice() {
            let range = match op {
                NumberOp::Add => a.checked_add(c).zip(b.checked_add(d)),
                NumberOp::Sub => a.checked_sub(d).zip(b.checked_sub(c)),
                NumberOp::Min => Some((a.min(c), b.min(d))),
                NumberOp::Max => Some((a.max(c), b.max(d))),
                NumberOp::Mul | NumberOp::Div => None,
            };
            if let Some(range) = range {
                self.ranges.insert(value, range);
            }
        }
        value
    }

    pub(super) fn condition(&mut self, side: LimitSide, a: LaneValue, b: LaneValue) -> LaneValue {
        let (x, y) = (self.range(a), self.range(b));
        let (op, holds) = match side {
            LimitSide::Below => (Op::Lt, x.1 < y.0),
            LimitSide::AtLeast => (Op::Ge, x.0 >= y.1),
        };
        if holds { self.truth(true) } else { self.computed(op, Scalar::I64, &[a, b], LaneType::Scalar(Elem::Bool)) }
    }

    /// The conjunction.
    pub(super) fn both(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        match (self.pass.bits(a), self.pass.bits(b)) {
            (Some(1), _) => b,
            (_, Some(1)) => a,
            _ => self.computed(Op::And, Scalar::Bool, &[a, b], LaneType::Scalar(Elem::Bool)),
        }
    }

    /// The negation of a scalar condition.
    pub(super) fn opposite(&mut self, condition: LaneValue) -> LaneValue {
        let no = self.truth(false);
        self.computed(Op::Eq, Scalar::Bool, &[condition, no], LaneType::Scalar(Elem::Bool))
    }

    pub(super) fn demand(&mut self, condition: LaneValue) {
        if self.pass.bits(condition) != Some(1) && !self.demanded.contains(&condition) {
            self.demanded.push(condition);
        }
    }

    /// The conjunction of all conditions that must hold in all iterations.
    pub(super) fn all(&mut self) -> LaneValue {
        let truth = self.truth(true);
        std::mem::take(&mut self.demanded).into_iter().fold(truth, |all, one| self.both(all, one))
    }

    /// Extends a value to 64 bits; 32-bit values are interpreted as `as_seen`.
    pub(super) fn wide(&mut self, value: LaneValue, as_seen: Scalar) -> LaneValue {
        if self.pass.types[value.index()].elem() == Elem::I64 {
            return value;
        }
        let scalar = if as_seen == Scalar::U32 { Scalar::U32 } else { Scalar::I32 };
        self.computed(Op::ToI64, scalar, &[value], LaneType::Scalar(Elem::I64))
    }
}
