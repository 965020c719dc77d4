//! Rounding floats to whole numbers, and splitting floats into fraction and exponent.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};

use super::super::pieces::Pieces;
use super::Cx;
use super::float::{infinity, least_normal};
use super::steps::{EVENS, float_bits, integer_of, ones};
use super::table::CallCondition;
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RoundRow {
    FrexpFract,
    FrexpExp,
    Ilogb,
    Ldexp,
    Floor,
    Ceil,
    Trunc,
    RoundEven,
    Round,
    Fract,
    ModfFract,
}

impl RoundRow {
    /// When it is a call.
    pub(super) const fn calls(self) -> CallCondition {
        match self {
            RoundRow::FrexpFract | RoundRow::FrexpExp | RoundRow::Ilogb | RoundRow::Ldexp => CallCondition::Never,
            // These need rounding instructions.
            RoundRow::Floor
            | RoundRow::Ceil
            | RoundRow::Trunc
            | RoundRow::RoundEven
            | RoundRow::Round
            | RoundRow::Fract
            | RoundRow::ModfFract => CallCondition::WithoutRounding,
        }
    }
}

/// Lowers an operation on floats that is no call.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: RoundRow, args: &[Pieces]) -> Pieces {
    let a = args[0];
    let elem = a.elem();
    match row {
        RoundRow::FrexpFract => cx.frexp(a).0,
        RoundRow::FrexpExp => {
            let exponent = cx.frexp(a).1;
            cx.as_i32(exponent)
        }
        RoundRow::Ilogb => cx.ilogb(a),
        RoundRow::Ldexp => cx.ldexp(a, args[1]),
        RoundRow::Floor => cx.one(elem, a, &|at, a| at.floor(a)),
        RoundRow::Ceil => cx.one(elem, a, &|at, a| at.ceil(a)),
        RoundRow::Trunc => cx.trunc(a),
        RoundRow::RoundEven => cx.one(elem, a, &|at, a| at.nearest(a)),
        RoundRow::Round => {
            // The largest number below 1/2, added away from zero: it carries exactly the fractions
            // from one half on past the next integer.
            let before_half = cx.bits(a, float_bits(elem, 0.5) - 1);
            let half = cx.copysign(before_half, a);
            let moved = cx.fadd(a, half);
            cx.trunc(moved)
        }
        RoundRow::Fract => {
            let floor = cx.one(elem, a, &|at, a| at.floor(a));
            cx.fsub(a, floor)
        }
        RoundRow::ModfFract => {
            let whole = cx.trunc(a);
            let rest = cx.fsub(a, whole);
            let (size, infinite) = (cx.fabs(a), cx.bits(a, infinity(elem)));
            // For an infinity the difference would be NaN. NaN compares unordered and stays NaN.
            let is_infinite = cx.fcmp(FloatCC::Equal, size, infinite);
            let zero = cx.float(a, 0.0);
            let rest = cx.choose(is_infinite, zero, rest);
            cx.copysign(rest, a)
        }
    }
}

/// The number of stored fraction bits, and the exponent bias.
const fn format(elem: Elem) -> (u32, i64) {
    match elem {
        Elem::F32 => (23, 127),
        _ => (52, 1023),
    }
}

impl Cx<'_, '_> {
    pub(super) fn trunc(&mut self, a: Pieces) -> Pieces {
        self.one(a.elem(), a, &|at, a| at.trunc(a))
    }

    /// The low 32 bits of integers.
    pub(super) fn as_i32(&mut self, a: Pieces) -> Pieces {
        match (a.elem(), a.is_vector()) {
            (Elem::I64, true) => self.merged(Elem::I32, a, EVENS),
            (Elem::I64, false) => self.one(Elem::I32, a, &|at, a| at.ireduce(cranelift_codegen::ir::types::I32, a)),
            _ => a,
        }
    }

    /// Is it neither zero, infinite nor NaN?
    fn is_scaled(&mut self, a: Pieces) -> Pieces {
        let (size, zero) = (self.fabs(a), self.float(a, 0.0));
        let infinite = self.bits(a, infinity(a.elem()));
        let (some, finite) =
            (self.fcmp(FloatCC::GreaterThan, size, zero), self.fcmp(FloatCC::LessThan, size, infinite));
        self.and(some, finite)
    }

    /// The fraction in [1/2, 1), and the exponent as an integer of the float's width.
    fn frexp(&mut self, a: Pieces) -> (Pieces, Pieces) {
        let (elem, int) = (a.elem(), integer_of(a.elem()));
        let (fraction_bits, bias) = format(elem);
        // Denormals are scaled to normal numbers first, which is exact.
        let (size, normal) = (self.fabs(a), self.bits(a, least_normal(elem)));
        let small = self.fcmp(FloatCC::LessThan, size, normal);
        let scale = self.float(a, 2_f64.powi(fraction_bits as i32 + 1));
        let larger = self.fmul(a, scale);
        let scaled = self.choose(small, larger, a);
        let bits = self.as_int(scaled);

        let exponent_mask = (ones(int) >> 1) & !((1 << fraction_bits) - 1);
        let exponent = self.down(bits, fraction_bits);
        let mask = self.bits(bits, exponent_mask >> fraction_bits);
        let exponent = self.and(exponent, mask);
        let base = self.bits(bits, (bias - 1) as u64);
        let more = self.bits(bits, (bias + i64::from(fraction_bits)) as u64);
        let base = self.choose(small, more, base);
        let exponent = self.isub(exponent, base);

        let mask = self.bits(bits, exponent_mask);
        let rest = self.without(bits, mask);
        let half = self.bits(bits, float_bits(elem, 0.5));
        let fraction = self.or(rest, half);
        let fraction = self.seen_as(elem, fraction);

        let scaled = self.is_scaled(a);
        (self.choose(scaled, fraction, a), self.where_true(scaled, exponent))
    }

    fn ilogb(&mut self, a: Pieces) -> Pieces {
        let (_, exponent) = self.frexp(a);
        let exponent = self.as_i32(exponent);
        let one = self.bits(exponent, 1);
        let exponent = self.isub(exponent, one);
        let (least, most) = (self.bits(exponent, 1 << 31), self.bits(exponent, (1 << 31) - 1));
        let (zero, infinite) = (self.float(a, 0.0), self.bits(a, infinity(a.elem())));
        let size = self.fabs(a);
        let is_infinite = self.fcmp(FloatCC::Equal, size, infinite);
        let some = self.fcmp(FloatCC::GreaterThan, size, zero);
        let (is_infinite, some) = (self.truth(is_infinite), self.truth(some));
        let exponent = self.choose(is_infinite, most, exponent);
        self.choose(some, exponent, least)
    }

    /// An `i32` sign-extended to an integer of another width.
    pub(super) fn widened(&mut self, a: Pieces, elem: Elem) -> Pieces {
        match (elem, a.is_vector()) {
            (Elem::I64, true) => self.parted(Elem::I64, a, &|at, a| at.swiden_low(a)),
            (Elem::I64, false) => self.one(Elem::I64, a, &|at, a| at.sextend(cranelift_codegen::ir::types::I64, a)),
            _ => a,
        }
    }

    /// 2 to a power, which must be a normal number.
    fn power(&mut self, elem: Elem, exponent: Pieces) -> Pieces {
        let (fraction_bits, bias) = format(elem);
        let bias = self.bits(exponent, bias as u64);
        let stored = self.iadd(exponent, bias);
        let bits = self.up(stored, fraction_bits);
        self.seen_as(elem, bits)
    }

    fn held(&mut self, a: Pieces, low: i64, high: i64) -> Pieces {
        let (low, high) = (self.bits(a, low as u64), self.bits(a, high as u64));
        let below = self.icmp(IntCC::SignedLessThan, a, low);
        let a = self.choose(below, low, a);
        let above = self.icmp(IntCC::SignedGreaterThan, a, high);
        self.choose(above, high, a)
    }

    fn ldexp(&mut self, a: Pieces, exponent: Pieces) -> Pieces {
        let elem = a.elem();
        let (fraction_bits, bias) = format(elem);
        // One multiplication by a representable power of two rounds once.
        if let Some(known) = exponent.constant {
            let known = i64::from(known as u32 as i32);
            if (1 - bias..=bias).contains(&known) {
                let factor = self.float(a, 2_f64.powi(known as i32));
                return self.fmul(a, factor);
            }
        }
        let (fraction, own) = self.frexp(a);
        // Larger exponents move every number to zero or infinity. Clamped before widening, so that
        // the sum with the number's own exponent does not overflow.
        let exponent = self.held(exponent, -8 * bias, 8 * bias);
        let exponent = self.widened(exponent, integer_of(elem));
        let power = self.iadd(own, exponent);
        // Scale to the edge of the normal numbers without rounding, then by the rest with a single
        // rounding. Beyond twice the width of the fraction the result is zero.
        let first = self.held(power, 2 - bias, bias + 1);
        let rest = self.isub(power, first);
        let rest = self.held(rest, -2 * i64::from(fraction_bits), 2);
        let one = self.bits(first, 1);
        let first = self.isub(first, one);
        let (first, rest) = (self.power(elem, first), self.power(elem, rest));
        let two = self.float(a, 2.0);
        let whole = self.fmul(fraction, two);
        let moved = self.fmul(whole, first);
        let moved = self.fmul(moved, rest);
        let scaled = self.is_scaled(a);
        self.choose(scaled, moved, a)
    }
}
