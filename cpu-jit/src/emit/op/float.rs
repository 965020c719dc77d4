//! Floats: magnitude and sign, minimum and maximum, neighbours, classification, and rows that are
//! formulas.

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};

use super::super::pieces::Pieces;
use super::Cx;
use super::steps::{float_bits, integer_of, ones, top};
use super::table::CallCondition;
use crate::lanes::Elem;
use tilewise_ir::fault::{self, Fault};

/// The smallest normal number of a format, by its bits.
pub(super) const fn least_normal(elem: Elem) -> u64 {
    match elem {
        Elem::F32 => 0x0080_0000,
        _ => 0x0010_0000_0000_0000,
    }
}

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FloatRow {
    Add,
    Sub,
    Mul,
    Div,
    Neg,
    Abs,
    Sign,
    Signum,
    Copysign,
    Min,
    Max,
    Clamp,
    Saturate,
    Fused,
    Sqrt,
    Rcp,
    Fdim,
    Step,
    Smoothstep,
    Mix,
    Radians,
    Degrees,
    NextUp,
    NextDown,
    Test(Test),
    TotalCmp,
}

/// Classification tests.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    Nan,
    Infinite,
    Finite,
    Normal,
    Subnormal,
    SignBit,
}

impl FloatRow {
    /// When it is a call.
    pub(super) const fn calls(self) -> CallCondition {
        match self {
            FloatRow::Fused => CallCondition::WithoutFusedAdd,
            FloatRow::Add
            | FloatRow::Sub
            | FloatRow::Mul
            | FloatRow::Div
            | FloatRow::Neg
            | FloatRow::Abs
            | FloatRow::Sign
            | FloatRow::Signum
            | FloatRow::Copysign
            | FloatRow::Min
            | FloatRow::Max
            | FloatRow::Clamp
            | FloatRow::Saturate
            | FloatRow::Sqrt
            | FloatRow::Rcp
            | FloatRow::Fdim
            | FloatRow::Step
            | FloatRow::Smoothstep
            | FloatRow::Mix
            | FloatRow::Radians
            | FloatRow::Degrees
            | FloatRow::NextUp
            | FloatRow::NextDown
            | FloatRow::Test(_)
            | FloatRow::TotalCmp => CallCondition::Never,
        }
    }
}

/// Lowers an operation on floats that is no call.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: FloatRow, args: &[Pieces]) -> Pieces {
    let a = args[0];
    match row {
        FloatRow::Add => cx.fadd(a, args[1]),
        FloatRow::Sub => cx.fsub(a, args[1]),
        FloatRow::Mul => cx.fmul(a, args[1]),
        FloatRow::Div => cx.fdiv(a, args[1]),
        FloatRow::Neg => cx.one(a.elem(), a, &|at, a| at.fneg(a)),
        FloatRow::Abs => cx.fabs(a),
        FloatRow::Sign => cx.sign(a),
        FloatRow::Signum => cx.signum(a),
        FloatRow::Copysign => cx.copysign(a, args[1]),
        FloatRow::Min => cx.least(a, args[1]),
        FloatRow::Max => cx.most(a, args[1]),
        FloatRow::Clamp => {
            let (low, high) = (args[1], args[2]);
            let held = cx.most(a, low);
            cx.least(held, high)
        }
        FloatRow::Saturate => {
            let (zero, one) = (cx.float(a, 0.0), cx.float(a, 1.0));
            let held = cx.most(a, zero);
            cx.least(held, one)
        }
        FloatRow::Fused => cx.fused(a, args[1], args[2]),
        FloatRow::Sqrt => cx.one(a.elem(), a, &|at, a| at.sqrt(a)),
        FloatRow::Rcp => {
            let one = cx.float(a, 1.0);
            cx.fdiv(one, a)
        }
        FloatRow::Fdim => {
            let above = cx.fsub(a, args[1]);
            let zero = cx.float(a, 0.0);
            let order = fault::choose(Fault::FdimOfNan, FloatCC::LessThanOrEqual, FloatCC::UnorderedOrLessThanOrEqual);
            let not_above = cx.fcmp(order, a, args[1]);
            cx.choose(not_above, zero, above)
        }
        FloatRow::Step => {
            let one = cx.float(a, 1.0);
            let order = fault::choose(Fault::StepAtEdge, FloatCC::GreaterThanOrEqual, FloatCC::GreaterThan);
            let reached = cx.fcmp(order, args[1], a);
            cx.where_true(reached, one)
        }
        FloatRow::Smoothstep => cx.smoothstep(a, args[1], args[2]),
        FloatRow::Mix => {
            let (b, t, one) = (args[1], args[2], cx.float(a, 1.0));
            let rest = cx.fsub(one, t);
            let (a, b) = (cx.fmul(a, rest), cx.fmul(b, t));
            cx.fadd(a, b)
        }
        FloatRow::Radians => {
            let factor = cx.bits(a, constant(a.elem(), 0.017_453_292, 0.017_453_292_519_943_295));
            cx.fmul(a, factor)
        }
        FloatRow::Degrees => {
            let factor = cx.bits(a, constant(a.elem(), 57.295_78, 57.295_779_513_082_32));
            cx.fmul(a, factor)
        }
        FloatRow::NextUp => cx.next(a, false),
        FloatRow::NextDown => cx.next(a, true),
        FloatRow::Test(test) => {
            let holds = cx.test(test, a);
            cx.truth(holds)
        }
        FloatRow::TotalCmp => cx.total_order(a, args[1]),
    }
}

/// The bits of a constant that is rounded to each format separately.
fn constant(elem: Elem, single: f32, double: f64) -> u64 {
    if elem == Elem::F32 { single.to_bits().into() } else { double.to_bits() }
}

/// Is it a constant that is not NaN?
fn is_number(a: Pieces) -> bool {
    a.constant.is_some_and(|bits| bits & (ones(a.elem()) >> 1) <= infinity(a.elem()))
}

pub(super) fn infinity(elem: Elem) -> u64 {
    float_bits(elem, f64::INFINITY)
}

impl Cx<'_, '_> {
    /// A mask of all bits of a float except the sign.
    fn size_mask(&mut self, a: Pieces) -> Pieces {
        self.bits(a, ones(a.elem()) >> 1)
    }

    /// The sign bit of a float, isolated.
    fn sign_of(&mut self, a: Pieces) -> Pieces {
        let mask = self.bits(a, top(a.elem()));
        self.and(a, mask)
    }

    pub(super) fn copysign(&mut self, a: Pieces, sign: Pieces) -> Pieces {
        let mask = self.size_mask(a);
        let (size, sign) = (self.and(a, mask), self.sign_of(sign));
        self.or(size, sign)
    }

    /// 1 with the sign of `a`.
    fn signed_one(&mut self, a: Pieces) -> Pieces {
        let (one, sign) = (self.float(a, 1.0), self.sign_of(a));
        self.or(one, sign)
    }

    fn sign(&mut self, a: Pieces) -> Pieces {
        let (size, zero, one) = (self.fabs(a), self.float(a, 0.0), self.signed_one(a));
        let signed = self.fcmp(FloatCC::GreaterThan, size, zero);
        self.choose(signed, one, a)
    }

    fn signum(&mut self, a: Pieces) -> Pieces {
        let one = self.signed_one(a);
        let order = fault::choose(Fault::SignumOfNan, FloatCC::Ordered, FloatCC::NotEqual);
        let number = self.fcmp(order, a, a);
        self.choose(number, one, a)
    }

    /// `a` if it is less than `b`, otherwise `b`: one instruction on x86-64.
    fn below(&mut self, a: Pieces, b: Pieces) -> Pieces {
        let below = self.fcmp(FloatCC::LessThan, a, b);
        self.choose(below, a, b)
    }

    /// `a` if it is greater than `b`, otherwise `b`: one instruction on x86-64.
    fn above(&mut self, a: Pieces, b: Pieces) -> Pieces {
        let above = self.fcmp(FloatCC::LessThan, b, a);
        self.choose(above, a, b)
    }

    /// The row `min`.
    fn least(&mut self, a: Pieces, b: Pieces) -> Pieces {
        // If one operand is a constant, neither NaN nor the zero that loses, the plain instruction
        // is right: it yields its second operand for a NaN and for equal operands.
        let winner = |c: Pieces| is_number(c) && (c.constant != Some(0) || fault::planted(Fault::MinZeroByConstant));
        if winner(b) {
            return self.below(a, b);
        }
        if winner(a) {
            return self.below(b, a);
        }
        // For equal operands the plain instruction yields `b`; OR with the bits of `a` makes a -0
        // win.
        let least = self.below(a, b);
        let equal = self.fcmp(FloatCC::Equal, a, b);
        let bits = self.where_true(equal, a);
        let least = self.or(least, bits);
        if is_number(b) {
            return least;
        }
        // A NaN in `a` is already replaced; one in `b` is not.
        let nan = self.fcmp(FloatCC::Unordered, b, b);
        self.choose(nan, a, least)
    }

    /// The row `max`.
    fn most(&mut self, a: Pieces, b: Pieces) -> Pieces {
        let winner = |c: Pieces| is_number(c) && c.constant != Some(top(c.elem()));
        if winner(b) {
            return self.above(a, b);
        }
        if winner(a) {
            return self.above(b, a);
        }
        // Where the operands are equal, keep only bits of both: +0 wins.
        let most = self.above(a, b);
        let equal = self.fcmp(FloatCC::Equal, a, b);
        let both = self.and(a, b);
        let most = self.choose(equal, both, most);
        if is_number(b) {
            return most;
        }
        let nan = self.fcmp(FloatCC::Unordered, b, b);
        self.choose(nan, a, most)
    }

    pub(super) fn fused(&mut self, a: Pieces, b: Pieces, c: Pieces) -> Pieces {
        let parts: Vec<_> =
            (0..a.parts().len()).map(|i| self.at().fma(a.parts()[i], b.parts()[i], c.parts()[i])).collect();
        if a.is_vector() { Pieces::from_parts(a.elem(), &parts) } else { Pieces::scalar(a.elem(), parts[0]) }
    }

    fn smoothstep(&mut self, low: Pieces, high: Pieces, x: Pieces) -> Pieces {
        let (zero, one) = (self.float(x, 0.0), self.float(x, 1.0));
        let (two, three) = (self.float(x, 2.0), self.float(x, 3.0));
        let (above, range) = (self.fsub(x, low), self.fsub(high, low));
        let t = self.fdiv(above, range);
        let t = self.most(t, zero);
        let t = self.least(t, one);
        let (square, double) = (self.fmul(t, t), self.fmul(two, t));
        let rest = self.fsub(three, double);
        self.fmul(square, rest)
    }

    /// The next larger or smaller number.
    fn next(&mut self, a: Pieces, down: bool) -> Pieces {
        let int = integer_of(a.elem());
        let bits = self.as_int(a);
        let zero = self.bits(bits, 0);
        let negative = self.icmp(IntCC::SignedLessThan, bits, zero);
        // The bits increase away from zero.
        let (one, less) = (self.bits(bits, 1), self.bits(bits, u64::MAX));
        let step = if down { self.choose(negative, one, less) } else { self.choose(negative, less, one) };
        let moved = self.iadd(bits, step);
        let (float_zero, first) = (self.bits(a, 0), self.bits(bits, if down { top(int) | 1 } else { 1 }));
        let at_zero = self.fcmp(FloatCC::Equal, a, float_zero);
        let moved = self.choose(at_zero, first, moved);
        let last = self.bits(a, infinity(a.elem()) | if down { top(int) } else { 0 });
        let on = if down { FloatCC::GreaterThan } else { FloatCC::LessThan };
        let goes = self.fcmp(on, a, last);
        let moved = self.seen_as(a.elem(), moved);
        self.choose(goes, moved, a)
    }

    fn test(&mut self, test: Test, a: Pieces) -> Pieces {
        let elem = a.elem();
        let size = self.fabs(a);
        let (infinite, normal) = (self.bits(a, infinity(elem)), self.bits(a, least_normal(elem)));
        match test {
            Test::Nan => self.fcmp(FloatCC::Unordered, a, a),
            Test::Infinite => self.fcmp(FloatCC::Equal, size, infinite),
            Test::Finite => self.fcmp(FloatCC::LessThan, size, infinite),
            Test::Normal => {
                let (finite, large) = (
                    self.fcmp(FloatCC::LessThan, size, infinite),
                    self.fcmp(FloatCC::GreaterThanOrEqual, size, normal),
                );
                self.and(finite, large)
            }
            Test::Subnormal => {
                let zero = self.float(a, 0.0);
                let (some, small) =
                    (self.fcmp(FloatCC::GreaterThan, size, zero), self.fcmp(FloatCC::LessThan, size, normal));
                self.and(some, small)
            }
            Test::SignBit => {
                let bits = self.as_int(a);
                let zero = self.bits(bits, 0);
                self.icmp(IntCC::SignedLessThan, bits, zero)
            }
        }
    }

    /// The row `total_cmp`: bits below the sign are inverted where it is set, and then compared as
    /// integers.
    fn total_order(&mut self, a: Pieces, b: Pieces) -> Pieces {
        let mut key = |a: Pieces| {
            let bits = self.as_int(a);
            let (zero, rest) = (self.bits(bits, 0), self.bits(bits, ones(bits.elem()) >> 1));
            let negative = self.icmp(IntCC::SignedLessThan, bits, zero);
            let turned = self.where_true(negative, rest);
            self.xor(bits, turned)
        };
        let (a, b) = (key(a), key(b));
        let (above, below) = (self.icmp(IntCC::SignedGreaterThan, a, b), self.icmp(IntCC::SignedLessThan, a, b));
        let (above, below) = (self.truth(above), self.truth(below));
        let (above, below) = (self.number_of(above, Elem::I32), self.number_of(below, Elem::I32));
        self.isub(above, below)
    }
}
