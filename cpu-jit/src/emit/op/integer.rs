//! Integers: wrapping, saturating and overflow-reporting arithmetic; powers and roots.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;
use tilewise_ir::types::Scalar;

use super::super::pieces::Pieces;
use super::Cx;
use super::steps::{EVENS, ODDS, ones, width_of};
use super::table::{CallCondition, Lanewise, lanewise_if_wide};
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum IntegerRow {
    Add,
    Sub,
    Mul,
    Mad,
    Neg,
    Abs,
    Sign,
    Min,
    Max,
    Clamp,
    AbsDiff,
    MulHi,
    AddSat,
    SubSat,
    MulSat,
    AddOverflows,
    SubOverflows,
    MulOverflows,
    Ipow,
    Isqrt,
}

impl IntegerRow {
    /// When it is a call, for a scalar.
    pub(super) const fn calls(self, scalar: Scalar) -> CallCondition {
        match self {
            IntegerRow::Ipow => CallCondition::UnlessKnown,
            IntegerRow::Isqrt if scalar.bits() == 64 => CallCondition::Always,
            IntegerRow::Isqrt => CallCondition::WithoutRounding,
            IntegerRow::Add
            | IntegerRow::Sub
            | IntegerRow::Mul
            | IntegerRow::Mad
            | IntegerRow::Neg
            | IntegerRow::Abs
            | IntegerRow::Sign
            | IntegerRow::Min
            | IntegerRow::Max
            | IntegerRow::Clamp
            | IntegerRow::AbsDiff
            | IntegerRow::MulHi
            | IntegerRow::AddSat
            | IntegerRow::SubSat
            | IntegerRow::MulSat
            | IntegerRow::AddOverflows
            | IntegerRow::SubOverflows
            | IntegerRow::MulOverflows => CallCondition::Never,
        }
    }

    /// When its lanes are scalarised, for a scalar.
    pub(super) const fn lanewise(self, scalar: Scalar) -> Lanewise {
        match self {
            IntegerRow::MulHi | IntegerRow::MulSat | IntegerRow::MulOverflows => lanewise_if_wide(scalar),
            IntegerRow::Add
            | IntegerRow::Sub
            | IntegerRow::Mul
            | IntegerRow::Mad
            | IntegerRow::Neg
            | IntegerRow::Abs
            | IntegerRow::Sign
            | IntegerRow::Min
            | IntegerRow::Max
            | IntegerRow::Clamp
            | IntegerRow::AbsDiff
            | IntegerRow::AddSat
            | IntegerRow::SubSat
            | IntegerRow::AddOverflows
            | IntegerRow::SubOverflows
            | IntegerRow::Ipow
            | IntegerRow::Isqrt => Lanewise::Never,
        }
    }
}

/// Lowers an operation on integers that is no call.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: IntegerRow, scalar: Scalar, args: &[Pieces]) -> Option<Pieces> {
    let a = args[0];
    let signed = is_signed(scalar);
    Some(match row {
        IntegerRow::Add => cx.iadd(a, args[1]),
        IntegerRow::Sub => cx.isub(a, args[1]),
        IntegerRow::Mul => cx.product(a, args[1]),
        IntegerRow::Mad => {
            let product = cx.product(a, args[1]);
            cx.iadd(product, args[2])
        }
        IntegerRow::Neg => cx.one(a.elem(), a, &|at, a| at.ineg(a)),
        IntegerRow::Abs => cx.one(a.elem(), a, &|at, a| at.iabs(a)),
        IntegerRow::Sign => {
            let zero = cx.bits(a, 0);
            let (above, below) = (cx.icmp(IntCC::SignedGreaterThan, a, zero), cx.icmp(IntCC::SignedLessThan, a, zero));
            let (above, below) = (cx.number_of(above, a.elem()), cx.number_of(below, a.elem()));
            cx.isub(above, below)
        }
        IntegerRow::Min => cx.extreme(a, args[1], signed, false),
        IntegerRow::Max => cx.extreme(a, args[1], signed, true),
        IntegerRow::Clamp => {
            let held = cx.extreme(a, args[1], signed, true);
            cx.extreme(held, args[2], signed, false)
        }
        IntegerRow::AbsDiff => {
            let (large, small) = (cx.extreme(a, args[1], signed, true), cx.extreme(a, args[1], signed, false));
            cx.isub(large, small)
        }
        IntegerRow::MulHi => cx.high_product(a, args[1], signed),
        IntegerRow::AddSat | IntegerRow::SubSat => cx.saturated(row == IntegerRow::SubSat, a, args[1], signed),
        IntegerRow::MulSat => {
            let over = cx.product_leaves(a, args[1], signed);
            let product = cx.product(a, args[1]);
            let end = if signed { cx.end(a, args[1], true) } else { cx.bits(a, u64::MAX) };
            cx.choose(over, end, product)
        }
        IntegerRow::AddOverflows | IntegerRow::SubOverflows => {
            let over = cx.sum_leaves(row == IntegerRow::SubOverflows, a, args[1], signed).1;
            cx.truth(over)
        }
        IntegerRow::MulOverflows => {
            let over = cx.product_leaves(a, args[1], signed);
            cx.truth(over)
        }
        IntegerRow::Ipow => cx.known_power(a, args[1].constant?),
        IntegerRow::Isqrt => cx.root(a, signed),
    })
}

pub(super) fn is_signed(scalar: Scalar) -> bool {
    matches!(scalar, Scalar::I32 | Scalar::I64)
}

impl Cx<'_, '_> {
    /// A product. By a power of two it is a shift, which is faster in vectors.
    pub(super) fn product(&mut self, a: Pieces, b: Pieces) -> Pieces {
        let (a, b) = if a.constant.is_some() { (b, a) } else { (a, b) };
        match b.constant {
            Some(bits) if bits.is_power_of_two() => self.up(a, bits.trailing_zeros()),
            _ => self.imul(a, b),
        }
    }

    /// The minimum or the maximum.
    pub(super) fn extreme(&mut self, a: Pieces, b: Pieces, signed: bool, larger: bool) -> Pieces {
        if a.is_vector() && a.elem() == Elem::I64 {
            let order = if signed { IntCC::SignedGreaterThan } else { IntCC::UnsignedGreaterThan };
            let above = self.icmp(order, a, b);
            return if larger { self.choose(above, a, b) } else { self.choose(above, b, a) };
        }
        match (signed, larger) {
            (true, true) => self.two(a.elem(), a, b, &|at, a, b| at.smax(a, b)),
            (true, false) => self.two(a.elem(), a, b, &|at, a, b| at.smin(a, b)),
            (false, true) => self.two(a.elem(), a, b, &|at, a, b| at.umax(a, b)),
            (false, false) => self.two(a.elem(), a, b, &|at, a, b| at.umin(a, b)),
        }
    }

    /// The high half of a product. 64-bit lanes are scalarised.
    fn high_product(&mut self, a: Pieces, b: Pieces, signed: bool) -> Pieces {
        if a.is_vector() && a.elem() == Elem::I32 {
            return self.wide_products(a, b, signed, ODDS);
        }
        self.by_lanes(a.elem(), &[a, b], &mut |cx, args| match signed {
            true => cx.two(args[0].elem(), args[0], args[1], &|at, a, b| at.smulhi(a, b)),
            false => cx.two(args[0].elem(), args[0], args[1], &|at, a, b| at.umulhi(a, b)),
        })
    }

    /// Halves of the 64-bit products of 32-bit lanes.
    pub(super) fn wide_products(&mut self, a: Pieces, b: Pieces, signed: bool, half: [u8; 16]) -> Pieces {
        let (a, b) = (self.doubled(a, signed), self.doubled(b, signed));
        let product = self.imul(a, b);
        self.merged(Elem::I32, product, half)
    }

    /// 32-bit lanes widened to 64 bits. The product of two of them is one instruction.
    pub(super) fn doubled(&mut self, a: Pieces, signed: bool) -> Pieces {
        let mut parts = [a.first(); 8];
        for (i, &part) in a.parts().iter().enumerate() {
            (parts[2 * i], parts[2 * i + 1]) = if signed {
                (self.at().swiden_low(part), self.at().swiden_high(part))
            } else {
                (self.at().uwiden_low(part), self.at().uwiden_high(part))
            };
        }
        Pieces::from_parts(Elem::I64, &parts[..2 * a.parts().len()])
    }

    /// The bound that a sum, or a product, of two signed numbers exceeds.
    fn end(&mut self, a: Pieces, b: Pieces, product: bool) -> Pieces {
        let sign = if product { self.xor(a, b) } else { a };
        let signs = self.down_signed(sign, width_of(a.elem()) - 1);
        let most = self.bits(a, ones(a.elem()) >> 1);
        self.xor(signs, most)
    }

    /// A sum or difference, and whether it overflows.
    fn sum_leaves(&mut self, minus: bool, a: Pieces, b: Pieces, signed: bool) -> (Pieces, Pieces) {
        let sum = if minus { self.isub(a, b) } else { self.iadd(a, b) };
        let over = match (signed, minus) {
            (false, false) => self.icmp(IntCC::UnsignedLessThan, sum, a),
            (false, true) => self.icmp(IntCC::UnsignedLessThan, a, b),
            (true, _) => {
                // The sum's sign differs from both operands'; for a difference, those of the
                // operands differ.
                let turned = self.xor(a, sum);
                let other = if minus { self.xor(a, b) } else { self.xor(b, sum) };
                let both = self.and(turned, other);
                let zero = self.bits(a, 0);
                self.icmp(IntCC::SignedLessThan, both, zero)
            }
        };
        (sum, over)
    }

    fn saturated(&mut self, minus: bool, a: Pieces, b: Pieces, signed: bool) -> Pieces {
        let (sum, over) = self.sum_leaves(minus, a, b, signed);
        let end = match (signed, minus) {
            (true, _) => self.end(a, b, false),
            (false, true) => self.bits(a, 0),
            (false, false) => self.bits(a, u64::MAX),
        };
        self.choose(over, end, sum)
    }

    /// Does a product overflow?
    fn product_leaves(&mut self, a: Pieces, b: Pieces, signed: bool) -> Pieces {
        let high = self.high_product(a, b, signed);
        let fits = if signed {
            let low = self.product(a, b);
            self.down_signed(low, width_of(a.elem()) - 1)
        } else {
            self.bits(a, 0)
        };
        self.icmp(IntCC::NotEqual, high, fits)
    }

    /// A power whose exponent is a constant; others are calls.
    fn known_power(&mut self, a: Pieces, exponent: u64) -> Pieces {
        let mut left = exponent;
        let mut square = a;
        let mut power = None;
        while left != 0 {
            if left & 1 != 0 {
                power = Some(match power {
                    Some(power) => self.imul(power, square),
                    None => square,
                });
            }
            left >>= 1;
            if left != 0 {
                square = self.imul(square, square);
            }
        }
        power.unwrap_or_else(|| self.bits(a, 1))
    }

    /// The root of 32-bit integers: `f64` is precise enough, since no root is closer to an integer
    /// from below than 2^-34 of its size.
    fn root(&mut self, a: Pieces, signed: bool) -> Pieces {
        let zero = self.bits(a, 0);
        let a = if signed { self.extreme(a, zero, true, true) } else { a };
        let wide = self.double_of_int(a, false);
        let root = self.one(Elem::F64, wide, &|at, a| at.sqrt(a));
        self.whole_to_i32(root)
    }

    /// The integer part of `f64`s from -2^32 to 2^32, as integers modulo 2^32.
    pub(super) fn whole_to_i32(&mut self, a: Pieces) -> Pieces {
        let whole = self.trunc(a);
        // Above 2^52 the lowest bit of the fraction is worth 1, so the integer is in the low word;
        // adding half of 2^52 covers negative ones.
        let base = self.float(a, 2_f64.powi(52) + 2_f64.powi(51));
        let moved = self.fadd(whole, base);
        let bits = self.as_int(moved);
        if a.is_vector() { self.merged(Elem::I32, bits, EVENS) } else { self.as_i32(bits) }
    }
}
