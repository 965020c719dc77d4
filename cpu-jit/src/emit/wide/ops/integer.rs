//! Integers: wrapping, saturating and overflow-reporting arithmetic; powers and roots.

use iced_x86::Code;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Scalar;

use super::super::vectors::{IntOrder, WideValue, bits_of, is_wide, ones};
use super::super::writer::CodeWriter;
use super::is_signed;
use crate::emit::op::integer::IntegerRow;
use crate::lanes::Elem;

/// Lowers an operation on integers.
pub(super) fn row(writer: &mut CodeWriter, row: IntegerRow, scalar: Scalar, args: &[WideValue]) -> Option<WideValue> {
    let a = &args[0];
    let signed = is_signed(scalar);
    Some(match row {
        IntegerRow::Add => writer.iadd(a, &args[1]),
        IntegerRow::Sub => writer.isub(a, &args[1]),
        IntegerRow::Mul => product(writer, a, &args[1]),
        IntegerRow::Mad => {
            let product = product(writer, a, &args[1]);
            writer.iadd(&product, &args[2])
        }
        IntegerRow::Neg => {
            let zero = writer.bits(a, 0);
            writer.isub(&zero, a)
        }
        IntegerRow::Abs => absolute(writer, a),
        IntegerRow::Sign => {
            let (least, most) = (writer.bits(a, u64::MAX), writer.bits(a, 1));
            let held = writer.extreme(a, &least, true, true);
            writer.extreme(&held, &most, true, false)
        }
        IntegerRow::Min => writer.extreme(a, &args[1], signed, false),
        IntegerRow::Max => writer.extreme(a, &args[1], signed, true),
        IntegerRow::Clamp => {
            let held = writer.extreme(a, &args[1], signed, true);
            writer.extreme(&held, &args[2], signed, false)
        }
        IntegerRow::AbsDiff => {
            let large = writer.extreme(a, &args[1], signed, true);
            let small = writer.extreme(a, &args[1], signed, false);
            writer.isub(&large, &small)
        }
        IntegerRow::MulHi => high_product(writer, a, &args[1], signed),
        IntegerRow::AddSat | IntegerRow::SubSat => {
            let minus = row == IntegerRow::SubSat;
            let (sum, over) = sum_leaves(writer, minus, a, &args[1], signed);
            let end = match (signed, minus) {
                (true, _) => bound(writer, a),
                (false, true) if !fault::planted(Fault::SaturatesToZero) => writer.bits(a, 0),
                (false, _) => writer.bits(a, u64::MAX),
            };
            writer.select(&over, &end, &sum)
        }
        IntegerRow::MulSat => {
            let over = product_leaves(writer, a, &args[1], signed);
            let product = product(writer, a, &args[1]);
            let end = if signed {
                let signs = writer.xor(a, &args[1]);
                bound(writer, &signs)
            } else {
                writer.bits(a, u64::MAX)
            };
            writer.select(&over, &end, &product)
        }
        IntegerRow::AddOverflows | IntegerRow::SubOverflows => {
            sum_leaves(writer, row == IntegerRow::SubOverflows, a, &args[1], signed).1
        }
        IntegerRow::MulOverflows => product_leaves(writer, a, &args[1], signed),
        IntegerRow::Ipow => known_power(writer, a, args[1].constant?),
        IntegerRow::Isqrt if is_wide(a.elem) => return None,
        IntegerRow::Isqrt => root(writer, a, signed),
    })
}

/// The size of integers.
pub(super) fn absolute(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    if is_wide(a.elem) && !writer.machine.has_masks {
        return writer.absolute_by_sign(a);
    }
    let code =
        if is_wide(a.elem) { Code::EVEX_Vpabsq_xmm_k1z_xmmm128b64 } else { Code::EVEX_Vpabsd_xmm_k1z_xmmm128b32 };
    writer.unary(code, a.elem, a, None)
}

/// A product. By a power of two it is a shift.
pub(super) fn product(writer: &mut CodeWriter, a: &WideValue, b: &WideValue) -> WideValue {
    let (a, b) = if a.constant.is_some() { (b, a) } else { (a, b) };
    match b.constant {
        Some(bits) if bits.is_power_of_two() => writer.up(a, bits.trailing_zeros()),
        _ => writer.imul(a, b),
    }
}

/// The high half of a product.
pub(super) fn high_product(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool) -> WideValue {
    if is_wide(a.elem) { high_of_64(writer, a, b, signed) } else { high_of_32(writer, a, b, signed) }
}

/// The full products of the even 32-bit lanes, as 64-bit lanes.
fn even_products(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool) -> WideValue {
    let code = match signed {
        true => Code::EVEX_Vpmuldq_xmm_k1z_xmm_xmmm128b64,
        false => Code::EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64,
    };
    writer.binary(code, a, b)
}

/// The same vectors with each pair of 32-bit lanes as one of 64 bits.
fn as_pairs(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    let registers = writer.registers(a);
    WideValue::of(Elem::I64, a.width.div_ceil(2), registers)
}

fn high_of_32(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool) -> WideValue {
    let (pairs_a, pairs_b) = (as_pairs(writer, a), as_pairs(writer, b));
    let even = even_products(writer, &pairs_a, &pairs_b, signed);
    let (odd_a, odd_b) = (writer.down(&pairs_a, 32), writer.down(&pairs_b, 32));
    let odd = even_products(writer, &odd_a, &odd_b, signed);
    let even = writer.down(&even, 32);
    // The high halves of odd lanes are in place.
    let odd_lanes =
        writer.mask_of_bits(a.width, fault::choose(Fault::HighOfOdd, 0xaaaa_aaaa_aaaa_aaaa, 0xa2aa_aaaa_aaaa_aaaa));
    let whole = |pairs: WideValue| WideValue { elem: Elem::I32, width: a.width, ..pairs };
    let (odd, even) = (whole(odd), whole(even));
    writer.select(&odd_lanes, &odd, &even)
}

/// By four products of halves.
fn high_of_64(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool) -> WideValue {
    let (a, b) = (writer.loaded(a), writer.loaded(b));
    let (high_a, high_b) = (writer.down(&a, 32), writer.down(&b, 32));
    let low_low = even_products(writer, &a, &b, false);
    let high_low = even_products(writer, &high_a, &b, false);
    let low_high = even_products(writer, &a, &high_b, false);
    let high_high = even_products(writer, &high_a, &high_b, false);
    let word = writer.bits(&a, 0xffff_ffff);
    // None of these sums overflows: each product is at most (2^32 - 1)^2.
    let carry = writer.down(&low_low, 32);
    let middle = writer.iadd(&high_low, &carry);
    let low_middle = writer.and(&middle, &word);
    let low_middle = writer.iadd(&low_high, &low_middle);
    let (top_middle, top_low) = (writer.down(&middle, 32), writer.down(&low_middle, 32));
    let sum = writer.iadd(&high_high, &top_middle);
    let high = if fault::planted(Fault::CarryLost) { sum } else { writer.iadd(&sum, &top_low) };
    if !signed {
        return high;
    }
    // A negative factor counts as 2^64 more.
    let (sign_a, sign_b) = (writer.down_signed(&a, 63), writer.down_signed(&b, 63));
    let (less_a, less_b) = (writer.and(&sign_a, &b), writer.and(&sign_b, &a));
    let high = writer.isub(&high, &less_a);
    writer.isub(&high, &less_b)
}

/// The bound that a sum, or a product, of two signed numbers exceeds, by a number with its sign.
fn bound(writer: &mut CodeWriter, sign: &WideValue) -> WideValue {
    let signs = writer.down_signed(sign, bits_of(sign.elem) - 1);
    let most = writer.bits(sign, ones(sign.elem) >> 1);
    writer.xor(&signs, &most)
}

/// A sum or difference, and whether it overflows.
fn sum_leaves(
    writer: &mut CodeWriter,
    minus: bool,
    a: &WideValue,
    b: &WideValue,
    signed: bool,
) -> (WideValue, WideValue) {
    let sum = if minus { writer.isub(a, b) } else { writer.iadd(a, b) };
    let over = match (signed, minus) {
        (false, false) => writer.compare_ints(IntOrder::Less, false, &sum, a),
        (false, true) => writer.compare_ints(IntOrder::Less, false, a, b),
        (true, _) => {
            // The sum's sign differs from both operands'; for a difference, those of the operands
            // differ.
            let turned = writer.xor(a, &sum);
            let other = if minus { writer.xor(a, b) } else { writer.xor(b, &sum) };
            let both = writer.and(&turned, &other);
            writer.negative(&both)
        }
    };
    (sum, over)
}

/// Does a product overflow?
fn product_leaves(writer: &mut CodeWriter, a: &WideValue, b: &WideValue, signed: bool) -> WideValue {
    let high = high_product(writer, a, b, signed);
    let fits = if signed {
        let low = product(writer, a, b);
        writer.down_signed(&low, bits_of(a.elem) - 1)
    } else {
        writer.bits(a, 0)
    };
    writer.compare_ints(IntOrder::NotEqual, true, &high, &fits)
}

/// A power whose exponent is a constant.
fn known_power(writer: &mut CodeWriter, a: &WideValue, exponent: u64) -> WideValue {
    let mut left = exponent;
    let mut square = a.clone();
    let mut power: Option<WideValue> = None;
    while left != 0 {
        if left & 1 != 0 {
            power = Some(match power {
                Some(power) => writer.imul(&power, &square),
                None => square.clone(),
            });
        }
        left >>= 1;
        if left != 0 {
            square = writer.imul(&square, &square);
        }
    }
    power.unwrap_or_else(|| writer.bits(a, 1))
}

/// The root of 32-bit integers: `f64` is precise enough, since no root is closer to an integer from
/// below than 2^-34 of its size.
fn root(writer: &mut CodeWriter, a: &WideValue, signed: bool) -> WideValue {
    let zero = writer.bits(a, 0);
    let a = if signed { writer.extreme(a, &zero, true, true) } else { a.clone() };
    let wide = super::convert::unsigned_to_double(writer, &a);
    let root = super::float::sqrt(writer, &wide);
    super::convert::double_to_unsigned(writer, &root, None)
}
