//! Quotients and remainders of integers. `x / 0 = x`, `x % 0 = 0`, `MIN / -1 = MIN`, `MIN % -1 =
//! 0`.
//!
//! 32-bit lanes divide through `f64`, which is exact: see the page of
//! [`op::divide`](crate::emit::op::divide). Quotients of 64-bit lanes have no recipe but by
//! constants: a multiplication, and a shift.

use iced_x86::Code;
use tilewise_ir::ops::DivisionOp;
use tilewise_ir::types::Scalar;

use super::super::vectors::{IntOrder, WideValue, bits_of, is_wide, ones};
use super::super::writer::CodeWriter;
use super::is_signed;
use crate::lanes::Elem;

/// Lowers a quotient or a remainder of integers.
pub(super) fn row(writer: &mut CodeWriter, op: DivisionOp, scalar: Scalar, args: &[WideValue]) -> Option<WideValue> {
    let signed = is_signed(scalar);
    let (a, b) = (&args[0], &args[1]);
    let (euclidean, remainder) = match op {
        DivisionOp::Div => (false, false),
        DivisionOp::Rem => (false, true),
        DivisionOp::DivEuclid => (true, false),
        DivisionOp::RemEuclid => (true, true),
    };
    if !euclidean || !signed {
        return divided(writer, a, b, signed, remainder);
    }
    let rest = divided(writer, a, b, true, true)?;
    let negative = writer.negative(&rest);
    if remainder {
        let size = super::integer::absolute(writer, b);
        let more = writer.where_set(&negative, &size);
        return Some(writer.iadd(&rest, &more));
    }
    // Move the quotient by one, opposite to the divisor's sign.
    let quotient = divided(writer, a, b, true, false)?;
    let zero = writer.bits(a, 0);
    let below = writer.compare_ints(IntOrder::Less, true, b, &zero);
    let (one, less) = (writer.bits(a, 1), writer.bits(a, u64::MAX));
    let step = writer.select(&below, &one, &less);
    let step = writer.where_set(&negative, &step);
    Some(writer.iadd(&quotient, &step))
}

fn divided(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool, remainder: bool) -> Option<WideValue> {
    if let Some(done) = by_power_of_two(writer, a, b, signed, remainder) {
        return Some(done);
    }
    if is_wide(a.elem) && b.constant.is_none() {
        return None;
    }
    let (quotient, divisor) = quotient(writer, a, b, signed);
    if !remainder {
        return Some(quotient);
    }
    let whole = writer.imul(&quotient, &divisor);
    Some(writer.isub(a, &whole))
}

/// Division by a constant power of two.
fn by_power_of_two(
    writer: &mut CodeWriter,
    a: &WideValue,
    b: &WideValue,
    signed: bool,
    remainder: bool,
) -> Option<WideValue> {
    let known = b.constant.filter(|bits| bits.is_power_of_two() && *bits <= ones(a.elem) >> 1)?;
    let shift = known.trailing_zeros();
    if shift == 0 {
        return Some(if remainder { writer.bits(a, 0) } else { a.clone() });
    }
    let mask = writer.bits(a, known - 1);
    if !signed {
        return Some(if remainder { writer.and(a, &mask) } else { writer.down(a, shift) });
    }
    // Negative numbers are increased by the divisor minus one first, to round towards zero.
    let signs = writer.down_signed(a, bits_of(a.elem) - 1);
    let more = writer.down(&signs, bits_of(a.elem) - shift);
    let moved = writer.iadd(a, &more);
    if !remainder {
        return Some(writer.down_signed(&moved, shift));
    }
    let whole = writer.without(&moved, &mask);
    Some(writer.isub(a, &whole))
}

/// The quotient of 32-bit lanes, or by a constant, and the divisor with 0 replaced by 1.
fn quotient(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool) -> (WideValue, WideValue) {
    if let Some(known) = b.constant {
        let known = if known == 0 { 1 } else { known };
        let divisor = writer.bits(b, known);
        return (by_known(writer, a, known & ones(a.elem), signed), divisor);
    }
    // The maximum as an unsigned number replaces only 0.
    let one = writer.bits(b, 1);
    let divisor = writer.extreme(b, &one, false, true);
    let [wide_a, wide_b] = [a, &divisor].map(|value| match signed {
        true => writer.widened(Code::EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32, Elem::F64, value),
        false => super::convert::unsigned_to_double(writer, value),
    });
    let exact = writer.fdiv(&wide_a, &wide_b);
    let quotient = match signed {
        // -2^31 / -1 is out of range, and yields -2^31.
        true => writer.narrowed(Code::EVEX_Vcvttpd2dq_xmm_k1z_xmmm128b64, Elem::I32, &exact),
        false => super::convert::double_to_unsigned(writer, &exact, None),
    };
    (quotient, divisor)
}

/// The quotient by a nonzero constant, as a multiplication: see
/// [`op::divide`](crate::emit::op::divide) for the factors.
fn by_known(writer: &mut CodeWriter, a: &WideValue, known: u64, signed: bool) -> WideValue {
    let bits = bits_of(a.elem);
    let high = |writer: &mut CodeWriter, factor: u128, signed| {
        let factor = writer.bits(a, factor as u64 & ones(a.elem));
        super::integer::high_product(writer, a, &factor, signed)
    };
    if signed {
        let known = if bits == 32 { i64::from(known as i32) } else { known as i64 };
        return by_known_signed(writer, a, known, high);
    }
    if known == 1 {
        return a.clone();
    }
    if known > 1 << 63 {
        // Once or not at all.
        let (divisor, zero, one) = (writer.bits(a, known), writer.bits(a, 0), writer.bits(a, 1));
        let below = writer.compare_ints(IntOrder::Less, false, a, &divisor);
        return writer.select(&below, &zero, &one);
    }
    // The first factor of as many bits that is precise enough for all numbers, if there is one.
    for s in 0..bits {
        let factor = (1_u128 << (bits + s)).div_ceil(known.into());
        if factor >> bits == 0 && factor * u128::from(known) - (1 << (bits + s)) <= 1 << s {
            let high = high(writer, factor, false);
            return writer.down(&high, s);
        }
    }
    // Otherwise one of a bit more; its highest bit adds `a` itself.
    let s = 64 - (known - 1).leading_zeros();
    let high = high(writer, (1_u128 << (bits + s)).div_ceil(known.into()), false);
    let difference = writer.isub(a, &high);
    let half = writer.down(&difference, 1);
    let sum = writer.iadd(&half, &high);
    writer.down(&sum, s - 1)
}

fn by_known_signed(
    writer: &mut CodeWriter,
    a: &WideValue,
    known: i64,
    high: impl Fn(&mut CodeWriter, u128, bool) -> WideValue,
) -> WideValue {
    let (bits, size) = (bits_of(a.elem), known.unsigned_abs());
    if size == 1 {
        let zero = writer.bits(a, 0);
        return if known == 1 { a.clone() } else { writer.isub(&zero, a) };
    }
    let signs = writer.down_signed(a, bits - 1);
    // Towards zero: add one to negative quotients.
    let finished = |writer: &mut CodeWriter, quotient: &WideValue| {
        if known > 0 { writer.isub(quotient, &signs) } else { writer.isub(&signs, quotient) }
    };
    for s in 0..bits - 1 {
        let factor = (1_u128 << (bits + s)) / u128::from(size) + 1;
        if factor >> (bits - 1) == 0 && factor * u128::from(size) - (1 << (bits + s)) <= 1 << (s + 1) {
            let high = high(writer, factor, true);
            let quotient = writer.down_signed(&high, s);
            return finished(writer, &quotient);
        }
    }
    let s = 64 - (size - 1).leading_zeros();
    let high = high(writer, (1_u128 << (bits - 1 + s)) / u128::from(size) + 1, true);
    let sum = writer.iadd(&high, a);
    let quotient = writer.down_signed(&sum, s - 1);
    finished(writer, &quotient)
}
