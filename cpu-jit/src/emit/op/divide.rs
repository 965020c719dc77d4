//! Quotients and remainders of integers. `x / 0 = x`, `x % 0 = 0`, `MIN / -1 = MIN`, `MIN % -1 =
//! 0`.
//!
//! Scalars: the divisor is replaced by 1 where the machine's instruction would trap. 32-bit lanes:
//! through `f64`. 64-bit lanes: scalarised.
//!
//! # Why `f64` is exact
//! Let `q = a / b` with `|a|, |b| < 2^32`. If `q` is not an integer, it is at least `1 / |b|` away
//! from the next one, and rounding moves it by at most `|q| * 2^-53 < 2^-21 / |b|`: its integer
//! part is unchanged.
//!
//! A uniform divisor becomes a factor: `1 / b` rounded, and moved two units in the last place away
//! from zero, so that it exceeds the exact value by a relative 2^-53 to 2^-50. Then `a * r` never
//! falls below an integer that `q` reaches, and exceeds `q` by less than `2^-18 / |b|`.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::ops::DivisionOp;
use tilewise_ir::types::Scalar;

use super::super::pieces::{MOST, Pieces};
use super::Cx;
use super::integer::is_signed;
use super::steps::{ODDS, ones, width_of};
use crate::lanes::Elem;

/// Lowers a quotient or a remainder of integers.
pub(super) fn row(cx: &mut Cx<'_, '_>, op: DivisionOp, scalar: Scalar, args: &[Pieces]) -> Pieces {
    let signed = is_signed(scalar);
    let (a, b) = (args[0], args[1]);
    let (euclidean, remainder) = match op {
        DivisionOp::Div => (false, false),
        DivisionOp::Rem => (false, true),
        DivisionOp::DivEuclid => (true, false),
        DivisionOp::RemEuclid => (true, true),
    };
    if !euclidean || !signed {
        return cx.divided(a, b, signed, remainder);
    }
    let rest = cx.divided(a, b, true, true);
    let zero = cx.bits(a, 0);
    let negative = cx.icmp(IntCC::SignedLessThan, rest, zero);
    if remainder {
        let size = cx.one(b.elem(), b, &|at, b| at.iabs(b));
        let more = cx.where_true(negative, size);
        return cx.iadd(rest, more);
    }
    // Move the quotient by one, opposite to the divisor's sign.
    let quotient = cx.divided(a, b, true, false);
    let below = cx.icmp(IntCC::SignedLessThan, b, zero);
    let (one, less) = (cx.bits(a, 1), cx.bits(a, u64::MAX));
    let (one, less) = fault::choose(Fault::EuclideanStepFlipped, (one, less), (less, one));
    let step = cx.choose(below, one, less);
    let step = cx.where_true(negative, step);
    cx.iadd(quotient, step)
}

impl Cx<'_, '_> {
    fn divided(&mut self, a: Pieces, b: Pieces, signed: bool, remainder: bool) -> Pieces {
        if let Some(done) = self.by_power_of_two(a, b, signed, remainder) {
            return done;
        }
        if a.is_vector() && a.elem() == Elem::I32 && self.facts.rounds {
            let (quotient, divisor) = self.quotient(a, b, signed);
            if !remainder {
                return quotient;
            }
            let whole = self.imul(quotient, divisor);
            return self.isub(a, whole);
        }
        self.by_lanes(a.elem(), &[a, b], &mut |cx, args| cx.scalar_divided(args[0], args[1], signed, remainder))
    }

    /// Division by a constant power of two.
    fn by_power_of_two(&mut self, a: Pieces, b: Pieces, signed: bool, remainder: bool) -> Option<Pieces> {
        let elem = a.elem();
        let known = b.constant.filter(|bits| bits.is_power_of_two() && *bits <= ones(elem) >> 1)?;
        let shift = known.trailing_zeros();
        if shift == 0 {
            return Some(if remainder { self.bits(a, 0) } else { a });
        }
        let mask = self.bits(a, known - 1);
        if !signed {
            return Some(if remainder { self.and(a, mask) } else { self.down(a, shift) });
        }
        // Negative numbers are increased by the divisor minus one first, to round towards zero.
        let signs = self.down_signed(a, width_of(elem) - 1);
        let more = self.down(signs, width_of(elem) - shift);
        let moved = if fault::planted(Fault::PowerOfTwoRoundsDown) { a } else { self.iadd(a, more) };
        if !remainder {
            return Some(self.down_signed(moved, shift));
        }
        let whole = self.without(moved, mask);
        Some(self.isub(a, whole))
    }

    /// The quotient of 32-bit lanes, and the divisor with 0 replaced by 1.
    fn quotient(&mut self, a: Pieces, b: Pieces, signed: bool) -> (Pieces, Pieces) {
        if let Some(known) = b.constant {
            let known = if known == 0 { 1 } else { known };
            let divisor = self.bits(b, known);
            let quotient = self.by_known(a, known as u32, signed);
            return (quotient, divisor);
        }
        let zero = self.bits(b, 0);
        let is_zero = self.icmp(IntCC::Equal, b, zero);
        // Subtracting the condition adds 1 where it holds.
        let divisor = self.isub(b, Pieces::from_parts(Elem::I32, is_zero.parts()));
        if let Some(uniform) = b.splat {
            let factor = self.factor(a, uniform, signed);
            let wide = self.double_of_int(a, signed);
            let quotient = self.fmul(wide, factor);
            return (self.whole_to_i32(quotient), divisor);
        }
        let (wide_a, wide_b) = (self.double_of_int(a, signed), self.double_of_int(divisor, signed));
        let quotient = self.fdiv(wide_a, wide_b);
        (self.whole_to_i32(quotient), divisor)
    }

    /// The factor for a uniform divisor, in as many 64-bit lanes as there are 32-bit ones.
    fn factor(&mut self, shape: Pieces, uniform: Value, signed: bool) -> Pieces {
        let b = Pieces::scalar(Elem::I32, uniform);
        let (zero, one) = (self.bits(b, 0), self.bits(b, 1));
        let is_zero = self.icmp(IntCC::Equal, b, zero);
        let b = self.choose(is_zero, one, b);
        let b = self.double_of_int(b, signed);
        let one = self.float(b, 1.0);
        let factor = self.fdiv(one, b);
        let bits = self.as_int(factor);
        let two = self.bits(bits, 2);
        let bits = self.iadd(bits, two);
        let factor = self.seen_as(Elem::F64, bits);
        let splat = self.at().splat(types::F64X2, factor.first());
        Pieces::from_parts(Elem::F64, &[splat; MOST][..2 * shape.parts().len()])
    }

    /// The quotient by a nonzero constant, as a multiplication.
    fn by_known(&mut self, a: Pieces, known: u32, signed: bool) -> Pieces {
        if signed {
            return self.by_known_signed(a, known as i32);
        }
        if known == 1 {
            return a;
        }
        // The first 32-bit factor that is precise enough for all numbers, if there is one.
        for s in 0..32 {
            let factor =
                (1_u128 << (32 + s)).div_ceil(known.into()) - u128::from(fault::planted(Fault::ConstantDivisorInexact));
            if factor >> 32 == 0 && factor * u128::from(known) - (1 << (32 + s)) <= 1 << s {
                let factor = self.bits(a, factor as u64);
                let high = self.wide_products(a, factor, false, ODDS);
                return self.down(high, s);
            }
        }
        // Otherwise a 33-bit one, m = ceil(2^(32 + s) / d) with s = ceil(log2 d): correct for all
        // 32-bit numbers.
        let s = 32 - (known - 1).leading_zeros();
        let factor = (1_u128 << (32 + s)).div_ceil(known.into());
        let low = self.bits(a, factor as u64 & 0xffff_ffff);
        let high = self.wide_products(a, low, false, ODDS);
        // The factor's 33rd bit adds `a` itself: halve the difference first, to avoid overflow.
        let difference = self.isub(a, high);
        let half = self.down(difference, 1);
        let sum = self.iadd(half, high);
        self.down(sum, s - 1)
    }

    fn by_known_signed(&mut self, a: Pieces, known: i32) -> Pieces {
        let size = known.unsigned_abs();
        if size == 1 {
            return if known == 1 { a } else { self.one(a.elem(), a, &|at, a| at.ineg(a)) };
        }
        let signs = self.down_signed(a, 31);
        // Towards zero: add one to negative quotients.
        let finished = |cx: &mut Self, quotient| {
            if known > 0 { cx.isub(quotient, signs) } else { cx.isub(signs, quotient) }
        };
        for s in 0..31 {
            let factor = (1_u128 << (32 + s)) / u128::from(size) + 1;
            if factor >> 31 == 0 && factor * u128::from(size) - (1 << (32 + s)) <= 1 << (s + 1) {
                let factor = self.bits(a, factor as u64);
                let high = self.wide_products(a, factor, true, ODDS);
                let quotient = self.down_signed(high, s);
                return finished(self, quotient);
            }
        }
        // m = floor(2^(31 + s) / d) + 1 with s = ceil(log2 d): 33 bits if signed; its low 32 bits
        // as a signed factor lack 2^32, so `a` is added.
        let s = 32 - (size - 1).leading_zeros();
        let factor = (1_u128 << (31 + s)) / u128::from(size) + 1;
        let low = self.bits(a, factor as u64 & 0xffff_ffff);
        let high = self.wide_products(a, low, true, ODDS);
        let sum = self.iadd(high, a);
        let quotient = self.down_signed(sum, s - 1);
        finished(self, quotient)
    }

    /// Scalars, by the machine's division instruction.
    fn scalar_divided(&mut self, a: Pieces, b: Pieces, signed: bool, remainder: bool) -> Pieces {
        let elem = a.elem();
        let (zero, one) = (self.bits(b, 0), self.bits(b, 1));
        if b.constant.is_some_and(|bits| bits != 0 && bits != ones(elem)) {
            return self.machine_division(a, b, signed, remainder);
        }
        let is_zero = self.icmp(IntCC::Equal, b, zero);
        if !signed {
            let divisor = self.choose(is_zero, one, b);
            return self.machine_division(a, divisor, signed, remainder);
        }
        // -1 too: the quotient is the negation.
        let less = self.bits(b, u64::MAX);
        let is_less = self.icmp(IntCC::Equal, b, less);
        let either = if fault::planted(Fault::DivisionByMinusOne) { is_zero } else { self.or(is_zero, is_less) };
        let divisor = self.choose(either, one, b);
        let done = self.machine_division(a, divisor, signed, remainder);
        if remainder {
            return done;
        }
        let negated = self.one(elem, a, &|at, a| at.ineg(a));
        self.choose(is_less, negated, done)
    }

    fn machine_division(&mut self, a: Pieces, b: Pieces, signed: bool, remainder: bool) -> Pieces {
        match (signed, remainder) {
            (true, false) => self.two(a.elem(), a, b, &|at, a, b| at.sdiv(a, b)),
            (true, true) => self.two(a.elem(), a, b, &|at, a, b| at.srem(a, b)),
            (false, false) => self.two(a.elem(), a, b, &|at, a, b| at.udiv(a, b)),
            (false, true) => self.two(a.elem(), a, b, &|at, a, b| at.urem(a, b)),
        }
    }
}
