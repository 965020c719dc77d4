//! Represents scalars as [`Sum`]s, and addresses by them.
//!
//! Sums are exact in 64 bits, including wrapping. A 32-bit computation is a sum only if ranges
//! prove that nothing wrapped. Addresses are rebuilt from their sums: parts that several accesses
//! share are computed once, and constants cost nothing.

use tilewise_ir::ops::Op;
use tilewise_ir::types::Scalar;

use super::Rewriter;
use crate::lanes::classes::{IntegerType, SumOp, sum_op};
use crate::lanes::program::{Elem, LaneAddress, LaneType, LaneValue};
use crate::lanes::sum::Sum;

/// Maximum number of terms in a sum.
const TERMS: usize = 3;

/// Limit of a constant displacement of an address: well within 32 bits.
const FAR: i64 = 1 << 30;

impl Rewriter<'_> {
    /// An `i64` scalar as a sum; if nothing else is known, of itself.
    pub(super) fn linear(&self, value: LaneValue) -> Sum {
        match self.b.number_of(value) {
            Some(number) => Sum::number(number),
            None => self.linears.get(&value).cloned().unwrap_or_else(|| Sum::of(value)),
        }
    }

    /// Records the sum that a scalar equals. `exact`: no signed wrapping.
    pub(super) fn note_linear(&mut self, op: Op, scalar: Scalar, args: &[LaneValue], new: LaneValue, exact: bool) {
        if !exact && self.b.ty(new) != LaneType::Scalar(Elem::I64) || self.b.constant_of(new).is_some() {
            return;
        }
        if let Some(linear) = self.sum(op, scalar, args) {
            self.linears.insert(new, linear);
        }
        if let (Op::Shr, Scalar::I64, &[value, by]) = (op, scalar, args)
            && let Some(by @ 0..32) = self.b.number_of(by)
            && self.multiples.get(&value).is_some_and(|n| n % (1 << by) == 0)
        {
            self.parts_of.insert(new, (value, 1 << by));
        }
    }

    fn sum(&self, op: Op, scalar: Scalar, args: &[LaneValue]) -> Option<Sum> {
        let narrow = matches!(scalar, Scalar::I32 | Scalar::U32);
        // For 32 bits only known sums.
        let of = |value: LaneValue| match narrow {
            true => match self.b.number_of(value) {
                Some(number) => Some(Sum::number(number)),
                None => self.linears.get(&value).cloned(),
            },
            false => Some(self.linear(value)),
        };
        let (a, b) = (*args.first()?, args.get(1).copied());
        match sum_op(op) {
            SumOp::Add => of(a)?.plus(&of(b?)?, 1, TERMS),
            SumOp::Sub => of(a)?.plus(&of(b?)?, -1, TERMS),
            SumOp::Mul => match (self.b.number_of(a), self.b.number_of(b?)) {
                (_, Some(n)) => self.times(&of(a)?, n),
                (Some(n), None) => self.times(&of(b?)?, n),
                (None, None) => None,
            },
            SumOp::Convert(IntegerType::I64) if scalar == Scalar::I32 => of(a),
            SumOp::Convert(IntegerType::I64 | IntegerType::U64) => {
                (narrow && self.range(a).is_some_and(|(least, _)| least >= 0)).then(|| of(a))?
            }
            // The caller has checked that it fits.
            SumOp::Convert(IntegerType::I32 | IntegerType::U32) => of(a),
            SumOp::Other => None,
        }
    }

    /// A sum times a constant. Sixteen times a sixteenth is the whole.
    fn times(&self, linear: &Sum, n: i64) -> Option<Sum> {
        let mut sum = Sum::number(linear.constant.wrapping_mul(n));
        for &(value, m) in &linear.terms {
            let m = m.wrapping_mul(n);
            let term = match self.parts_of.get(&value) {
                Some(&(whole, by)) if m % by == 0 => Sum::term(whole, m / by),
                _ => Sum::term(value, m),
            };
            sum = sum.plus(&term, 1, TERMS)?;
        }
        Some(sum)
    }

    /// Rebuilds an address from its sum.
    pub(super) fn address(&mut self, at: LaneAddress) -> LaneAddress {
        let Some(offset) = at.offset else { return at };
        let linear = self.of_near(self.linear(offset));
        let Some(displacement) =
            at.displacement.checked_add(linear.constant).filter(|by| by.unsigned_abs() < FAR.unsigned_abs())
        else {
            return at;
        };
        let mut sum = None;
        let mut hull = Some((0i64, 0i64));
        for &(value, n) in &linear.terms {
            let number = self.b.number(n);
            let term = self.b.op(Op::Mul, Scalar::I64, &[value, number]);
            sum = Some(match sum {
                Some(sum) => self.b.op(Op::Add, Scalar::I64, &[sum, term]),
                None => term,
            });
            hull = hull.and_then(|(low, high)| {
                let (least, greatest) = self.range(value)?;
                let (a, b) = (least.checked_mul(n)?, greatest.checked_mul(n)?);
                Some((low.checked_add(a.min(b))?, high.checked_add(a.max(b))?))
            });
        }
        if let Some(sum) = sum {
            self.linears.entry(sum).or_insert(Sum { constant: 0, ..linear });
            if let Some(hull) = hull {
                self.hulls.insert(sum, hull);
            }
        }
        LaneAddress { offset: sum, displacement, ..at }
    }
}
