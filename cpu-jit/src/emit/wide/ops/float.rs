//! Floats: magnitude and sign, minimum and maximum, neighbours, classification, and rows that are
//! formulas.

use iced_x86::Code;

use super::super::vectors::{FloatOrder, FusedSigns, IntOrder, WideValue, float_bits, integer_of, ones, sized, top};
use super::super::writer::CodeWriter;
use crate::emit::op::float::{FloatRow, Test};
use crate::lanes::Elem;
use tilewise_ir::fault::{self, Fault};

/// Classes of floats as [`CodeWriter::class_of`] numbers them.
pub(in super::super) mod classes {
    /// Not a number.
    pub(in super::super::super) const NAN: u8 = 0x81;
    /// +0 and -0.
    pub(in super::super::super) const ZERO: u8 = 0x06;
    /// Both infinities.
    pub(in super::super::super) const INFINITE: u8 = 0x18;
    /// Denormal numbers.
    pub(in super::super::super) const DENORMAL: u8 = 0x20;
}

/// Lowers an operation on floats.
pub(super) fn row(writer: &mut CodeWriter, row: FloatRow, args: &[WideValue]) -> WideValue {
    let a = &args[0];
    match row {
        FloatRow::Add => writer.fadd(a, &args[1]),
        FloatRow::Sub => writer.fsub(a, &args[1]),
        FloatRow::Mul => writer.fmul(a, &args[1]),
        FloatRow::Div => writer.fdiv(a, &args[1]),
        FloatRow::Neg => {
            let sign = writer.bits(a, top(a.elem));
            writer.xor(a, &sign)
        }
        FloatRow::Abs => writer.fabs(a),
        FloatRow::Sign => {
            let one = signed_one(writer, a);
            let other = writer.class_of(a, classes::NAN | classes::ZERO);
            writer.select(&other, a, &one)
        }
        FloatRow::Signum => {
            let one = signed_one(writer, a);
            let nan = writer.class_of(a, classes::NAN);
            writer.select(&nan, a, &one)
        }
        FloatRow::Copysign => copysign(writer, a, &args[1]),
        FloatRow::Min => least(writer, a, &args[1]),
        FloatRow::Max => most(writer, a, &args[1]),
        FloatRow::Clamp => {
            let held = most(writer, a, &args[1]);
            least(writer, &held, &args[2])
        }
        FloatRow::Saturate => {
            let (zero, one) = (writer.float(a, 0.0), writer.float(a, 1.0));
            let held = most(writer, a, &zero);
            least(writer, &held, &one)
        }
        FloatRow::Fused => writer.fused([a, &args[1], &args[2]], FusedSigns::default(), false),
        FloatRow::Sqrt => sqrt(writer, a),
        FloatRow::Rcp => {
            let one = writer.float(a, 1.0);
            writer.fdiv(&one, a)
        }
        FloatRow::Fdim => {
            let above = writer.fsub(a, &args[1]);
            let zero = writer.float(a, 0.0);
            let not_above = writer.compare_floats(FloatOrder::LessEqual, a, &args[1]);
            writer.select(&not_above, &zero, &above)
        }
        FloatRow::Step => {
            let one = writer.float(a, 1.0);
            let reached = writer.compare_floats(FloatOrder::GreaterEqual, &args[1], a);
            writer.where_set(&reached, &one)
        }
        FloatRow::Smoothstep => smoothstep(writer, a, &args[1], &args[2]),
        FloatRow::Mix => {
            let (b, t, one) = (&args[1], &args[2], writer.float(a, 1.0));
            let rest = writer.fsub(&one, t);
            let (a, b) = (writer.fmul(a, &rest), writer.fmul(b, t));
            writer.fadd(&a, &b)
        }
        FloatRow::Radians => {
            let factor = writer.bits(a, constant(a.elem, 0.017_453_292, 0.017_453_292_519_943_295));
            writer.fmul(a, &factor)
        }
        FloatRow::Degrees => {
            let factor = writer.bits(a, constant(a.elem, 57.295_78, 57.295_779_513_082_32));
            writer.fmul(a, &factor)
        }
        FloatRow::NextUp => next(writer, a, false),
        FloatRow::NextDown => next(writer, a, true),
        FloatRow::Test(test) => {
            let nan = classes::NAN;
            match test {
                Test::Nan => writer.class_of(a, nan),
                Test::Infinite => writer.class_of(a, classes::INFINITE),
                Test::Finite => {
                    let other = writer.class_of(a, nan | classes::INFINITE);
                    writer.mask_not(&other)
                }
                Test::Normal => {
                    let other = writer.class_of(
                        a,
                        nan | classes::INFINITE
                            | classes::ZERO
                            | fault::choose(Fault::SubnormalTest, classes::DENORMAL, classes::ZERO),
                    );
                    writer.mask_not(&other)
                }
                Test::Subnormal => writer.class_of(a, classes::DENORMAL),
                Test::SignBit => writer.negative(a),
            }
        }
        FloatRow::TotalCmp => total_order(writer, a, &args[1]),
    }
}

/// The bits of a constant that is rounded to each format separately.
fn constant(elem: Elem, single: f32, double: f64) -> u64 {
    if elem == Elem::F32 { single.to_bits().into() } else { double.to_bits() }
}

/// The bits of infinity.
pub(super) fn infinity(elem: Elem) -> u64 {
    float_bits(elem, f64::INFINITY)
}

/// The square root.
pub(super) fn sqrt(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    let code = sized(a.elem, Code::EVEX_Vsqrtps_xmm_k1z_xmmm128b32, Code::EVEX_Vsqrtpd_xmm_k1z_xmmm128b64);
    writer.unary(code, a.elem, a, None)
}

/// One over the square root of lanes of 32 bits: with AVX-512 an estimate of 14 bits and a step of
/// Newton's, together within 1.04 units in the last place (all numbers were tried).
pub(in super::super) fn reciprocal_root(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    if !writer.machine.has_masks {
        let (one, root) = (writer.float(a, 1.0), sqrt(writer, a));
        return writer.fdiv(&one, &root);
    }
    let y = writer.unary(Code::EVEX_Vrsqrt14ps_xmm_k1z_xmmm128b32, a.elem, a, None);
    let (minus_one, minus_half) = (writer.float(a, -1.0), writer.float(a, -0.5));
    let root = writer.fmul(&y, a);
    let error = writer.fused([&root, &y, &minus_one], FusedSigns::default(), false);
    let by = writer.fmul(&y, &minus_half);
    let better = writer.fused([&by, &error, &y], FusedSigns::default(), false);
    // The estimate of zero, of infinity and of what has no root is the result.
    let known = writer.compare_floats(FloatOrder::Ordered, &error, &error);
    writer.select(&known, &better, &y)
}

/// The size of the first with the sign of the second.
pub(super) fn copysign(writer: &mut CodeWriter, a: &WideValue, sign: &WideValue) -> WideValue {
    let size = writer.fabs(a);
    let mask = writer.bits(a, top(a.elem));
    let sign = writer.and(sign, &mask);
    writer.or(&size, &sign)
}

/// 1 with the sign of `a`.
fn signed_one(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    let mask = writer.bits(a, top(a.elem));
    let sign = writer.and(a, &mask);
    let one = writer.float(a, 1.0);
    writer.or(&sign, &one)
}

/// Is it a constant that is not NaN?
fn is_number(a: &WideValue) -> bool {
    a.constant.is_some_and(|bits| bits & (ones(a.elem) >> 1) <= infinity(a.elem))
}

/// The minimum or maximum by the instruction, which yields its second operand for a NaN and for
/// equal operands.
fn plain(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, larger: bool) -> WideValue {
    let code = if larger {
        sized(a.elem, Code::EVEX_Vmaxps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vmaxpd_xmm_k1z_xmm_xmmm128b64)
    } else {
        sized(a.elem, Code::EVEX_Vminps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64)
    };
    writer.binary(code, a, b)
}

/// The row `min`.
pub(super) fn least(writer: &mut CodeWriter, a: &WideValue, b: &WideValue) -> WideValue {
    extreme(writer, a, b, false)
}

/// The row `max`.
pub(super) fn most(writer: &mut CodeWriter, a: &WideValue, b: &WideValue) -> WideValue {
    extreme(writer, a, b, true)
}

fn extreme(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, larger: bool) -> WideValue {
    // If one operand is a constant, neither NaN nor the zero that loses, the plain instruction is
    // right.
    if fault::planted(Fault::ZerosEqual) && larger {
        return plain(writer, a, b, larger);
    }
    let loser = if larger { top(a.elem) } else { 0 };
    let winner = |value: &WideValue| is_number(value) && value.constant != Some(loser);
    if winner(b) {
        return plain(writer, a, b, larger);
    }
    if winner(a) {
        return plain(writer, b, a, larger);
    }
    let found = plain(writer, a, b, larger);
    // Where the operands are equal, a -0 wins the minimum and loses the maximum.
    let equal = writer.compare_floats(FloatOrder::Equal, a, b);
    let code = match larger {
        true => sized(a.elem, Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64),
        false => sized(a.elem, Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64),
    };
    let found = writer.binary_where(code, &equal, a, b, &found);
    if is_number(b) || fault::planted(Fault::NanOfSecond) {
        return found;
    }
    // A NaN in `a` is already replaced; one in `b` is not.
    let nan = writer.compare_floats(FloatOrder::Unordered, b, b);
    writer.select(&nan, a, &found)
}

fn smoothstep(writer: &mut CodeWriter, low: &WideValue, high: &WideValue, x: &WideValue) -> WideValue {
    let (zero, one) = (writer.float(x, 0.0), writer.float(x, 1.0));
    let (two, three) = (writer.float(x, 2.0), writer.float(x, 3.0));
    let (above, range) = (writer.fsub(x, low), writer.fsub(high, low));
    let t = writer.fdiv(&above, &range);
    let t = most(writer, &t, &zero);
    let t = least(writer, &t, &one);
    let (square, double) = (writer.fmul(&t, &t), writer.fmul(&t, &two));
    let rest = writer.fsub(&three, &double);
    writer.fmul(&square, &rest)
}

/// The next larger or smaller number.
fn next(writer: &mut CodeWriter, a: &WideValue, down: bool) -> WideValue {
    let int = integer_of(a.elem);
    let bits = a.seen_as(int);
    let negative = writer.negative(&bits);
    // The bits increase away from zero.
    let (one, less) = (writer.bits(&bits, 1), writer.bits(&bits, u64::MAX));
    let step = if down { writer.select(&negative, &one, &less) } else { writer.select(&negative, &less, &one) };
    let moved = writer.iadd(&bits, &step);
    let (zero, first) = (
        writer.bits(a, 0),
        writer.bits(&bits, if down && !fault::planted(Fault::NextAtZero) { top(int) | 1 } else { 1 }),
    );
    let at_zero = writer.compare_floats(FloatOrder::Equal, a, &zero);
    let moved = writer.select(&at_zero, &first, &moved);
    let last = writer.bits(a, infinity(a.elem) | if down { top(int) } else { 0 });
    let order = if down { FloatOrder::Greater } else { FloatOrder::Less };
    let on = writer.compare_floats(order, a, &last);
    writer.select(&on, &moved.seen_as(a.elem), a)
}

/// The row `total_cmp`: bits below the sign are inverted where it is set, and then compared as
/// integers.
fn total_order(writer: &mut CodeWriter, a: &WideValue, b: &WideValue) -> WideValue {
    let mut key = |a: &WideValue| {
        let bits = a.seen_as(integer_of(a.elem));
        let signs = writer.down_signed(&bits, super::super::vectors::bits_of(a.elem) - 1);
        let rest = writer.bits(&bits, ones(a.elem) >> 1);
        let turned = writer.and(&signs, &rest);
        writer.xor(&bits, &turned)
    };
    let (a, b) = (key(a), key(b));
    let above = writer.compare_ints(IntOrder::Greater, true, &a, &b);
    let below = writer.compare_ints(IntOrder::Less, true, &a, &b);
    let (above, below) = (writer.number_of(&above, Elem::I32), writer.number_of(&below, Elem::I32));
    writer.isub(&above, &below)
}
