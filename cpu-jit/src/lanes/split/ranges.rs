//! Ranges of integer scalars.

use tilewise_ir::ops::{Comparison, Op};
use tilewise_ir::types::Scalar;

use super::Rewriter;
use crate::lanes::LaneValue;
use crate::lanes::classes::{IntegerType, SumOp, sum_op};

impl Rewriter<'_> {
    /// The signed range of an integer scalar.
    pub(super) fn range(&self, value: LaneValue) -> Option<(i64, i64)> {
        self.b.number_of(value).map(|n| (n, n)).or_else(|| self.ranges.get(&value).copied())
    }

    pub(super) fn range_of(&self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Option<(i64, i64)> {
        if args.iter().any(|&arg| self.b.ty(arg).is_lanes()) {
            return None;
        }
        let narrow = (i64::from(i32::MIN), i64::from(i32::MAX));
        let most = match scalar {
            Scalar::I32 | Scalar::U32 => narrow,
            Scalar::I64 | Scalar::U64 => (i64::MIN, i64::MAX),
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        };
        let (least, greatest) = self.range(*args.first()?)?;
        let other = args.get(1).and_then(|&arg| self.range(arg));
        let itself = (least, greatest);
        let (range, most) = match (sum_op(op), other) {
            (SumOp::Add, Some((low, high))) => ((least.checked_add(low)?, greatest.checked_add(high)?), most),
            (SumOp::Sub, Some((low, high))) => ((least.checked_sub(high)?, greatest.checked_sub(low)?), most),
            (SumOp::Mul, Some((n, same))) if n == same && n >= 0 => {
                ((least.checked_mul(n)?, greatest.checked_mul(n)?), most)
            }
            (SumOp::Convert(IntegerType::I32), None) => (itself, narrow),
            (SumOp::Convert(IntegerType::U32), None) if least >= 0 => (itself, narrow),
            (SumOp::Convert(IntegerType::I64), None) if matches!(scalar, Scalar::I32 | Scalar::I64) => (itself, most),
            (SumOp::Convert(IntegerType::I64 | IntegerType::U64), None) if least >= 0 => (itself, most),
            (SumOp::Add | SumOp::Sub | SumOp::Mul | SumOp::Convert(_) | SumOp::Other, Some(_) | None) => return None,
        };
        (most.0 <= range.0 && range.1 <= most.1).then_some(range)
    }

    /// The result of a comparison, if ranges decide it.
    pub(super) fn compared(&self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Option<bool> {
        let &[a, b] = args else { return None };
        let signed = match scalar {
            Scalar::I32 | Scalar::I64 => true,
            Scalar::U32 | Scalar::U64 => false,
            Scalar::Bool | Scalar::F32 | Scalar::F64 => return None,
        };
        if self.b.ty(a).is_lanes() || self.b.ty(b).is_lanes() {
            return None;
        }
        let (a, b) = (self.range(a)?, self.range(b)?);
        if !signed && (a.0 < 0 || b.0 < 0) {
            return None;
        }
        let less = |a: (i64, i64), b: (i64, i64)| match () {
            () if a.1 < b.0 => Some(true),
            () if a.0 >= b.1 => Some(false),
            () => None,
        };
        match op.comparison()? {
            Comparison::Lt => less(a, b),
            Comparison::Gt => less(b, a),
            Comparison::Ge => less(a, b).map(|less| !less),
            Comparison::Le => less(b, a).map(|less| !less),
            Comparison::Eq | Comparison::Ne => None,
        }
    }
}
