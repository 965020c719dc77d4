//! Conversions between types, and bitcasts.

use iced_x86::Code;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Scalar;

use super::super::vcode::{RegisterView, VECTOR};
use super::super::vectors::{FloatOrder, WideValue, float_bits, is_wide, ones};
use super::super::writer::{CodeWriter, Masking, at_length, vector};
use crate::emit::op::convert::ConvertRow;
use crate::lanes::Elem;

/// Lowers a conversion.
pub(super) fn row(writer: &mut CodeWriter, row: ConvertRow, from: Scalar, args: &[WideValue]) -> Option<WideValue> {
    let a = &args[0];
    Some(match row {
        ConvertRow::ToInteger(elem, signed) => integer(writer, from, a, elem, signed)?,
        ConvertRow::ToF32 => single(writer, from, a)?,
        ConvertRow::ToF64 => double(writer, from, a),
        ConvertRow::WrapSigned(bits) => {
            let high = writer.up(a, 32 - bits);
            writer.down_signed(&high, 32 - bits)
        }
        ConvertRow::WrapUnsigned(bits) => {
            let bits = bits + u32::from(fault::planted(Fault::WrapUnsigned) && bits == 16);
            let mask = writer.bits(a, (1 << bits) - 1);
            writer.and(a, &mask)
        }
        ConvertRow::QuantizeF16 => {
            let half = writer.float_to_half(a);
            writer.half_to_float(&half)
        }
        ConvertRow::Bitcast(elem) => a.seen_as(elem),
    })
}

fn integer(writer: &mut CodeWriter, from: Scalar, a: &WideValue, elem: Elem, signed: bool) -> Option<WideValue> {
    Some(match from {
        Scalar::Bool => writer.number_of(a, elem),
        Scalar::I32 => writer.extended(a, elem, true),
        Scalar::U32 => writer.extended(a, elem, false),
        Scalar::I64 | Scalar::U64 if elem == Elem::I64 => a.clone(),
        Scalar::I64 | Scalar::U64 => writer.low_words(a),
        Scalar::F32 | Scalar::F64 => return float_to_integer(writer, a, elem, signed),
    })
}

/// Saturates; NaN becomes 0.
fn float_to_integer(writer: &mut CodeWriter, a: &WideValue, elem: Elem, signed: bool) -> Option<WideValue> {
    // Out of range, the instructions yield the top bit alone if signed, and all bits if not. Lanes
    // whose result is 0 are masked off: NaN; of unsigned results also what is not above 0.
    let wanted = if signed {
        let of = if fault::planted(Fault::NanToInteger) { writer.float(a, 0.0) } else { a.clone() };
        writer.compare_floats(FloatOrder::Ordered, &of, &of)
    } else {
        let zero = writer.float(a, 0.0);
        writer.compare_floats(FloatOrder::Greater, a, &zero)
    };
    let (from_wide, to_wide) = (is_wide(a.elem), is_wide(elem));
    let number = match (from_wide, to_wide) {
        (false, false) if signed => same_width(writer, Code::EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32, elem, a, &wanted),
        (false, false) if writer.machine.has_masks => {
            same_width(writer, Code::EVEX_Vcvttps2udq_xmm_k1z_xmmm128b32, elem, a, &wanted)
        }
        (false, false) => {
            let number = writer.single_to_unsigned(a);
            writer.where_set(&wanted, &number)
        }
        (true, false) if signed => {
            writer.narrowed_where(Code::EVEX_Vcvttpd2dq_xmm_k1z_xmmm128b64, elem, a, Some(&wanted))
        }
        (true, false) => double_to_unsigned(writer, a, Some(&wanted)),
        // There are instructions on scalars, which Cranelift knows too.
        (_, true) if !writer.machine.has_masks => return None,
        (true, true) => {
            let code = match signed {
                true => Code::EVEX_Vcvttpd2qq_xmm_k1z_xmmm128b64,
                false => Code::EVEX_Vcvttpd2uqq_xmm_k1z_xmmm128b64,
            };
            same_width(writer, code, elem, a, &wanted)
        }
        (false, true) => {
            let code = match signed {
                true => Code::EVEX_Vcvttps2qq_xmm_k1z_xmmm64b32,
                false => Code::EVEX_Vcvttps2uqq_xmm_k1z_xmmm64b32,
            };
            let number = writer.widened(code, elem, a);
            writer.where_set(&wanted, &number)
        }
    };
    if !signed {
        return Some(number);
    }
    // 2 to the number of bits without the sign, which is out of range as are all above it.
    let end = writer.bits(a, float_bits(a.elem, if to_wide { 2_f64.powi(63) } else { 2_f64.powi(31) }));
    let above = writer.compare_floats(FloatOrder::GreaterEqual, a, &end);
    let most = writer.bits(&number, ones(elem) >> 1);
    Some(writer.select(&above, &most, &number))
}

/// A conversion to an element of the same width; zero where the mask is clear.
fn same_width(writer: &mut CodeWriter, code: Code, to: Elem, a: &WideValue, wanted: &WideValue) -> WideValue {
    if !writer.machine.has_masks {
        let number = writer.unary(code, to, a, None);
        return writer.where_set(wanted, &number);
    }
    let length = a.length();
    let registers: Vec<_> = (0..a.parts.len())
        .map(|part| {
            let set = writer.mask_part(wanted, a.elem, part);
            let from = writer.in_register(a, part);
            let view = RegisterView::Vector(length);
            let sources = [vector(from, length)];
            writer.def_masked(at_length(code, length), VECTOR, view, &sources, Masking::Zero(set))
        })
        .collect();
    WideValue::of(to, a.width, registers)
}

/// Unsigned 32-bit integers as `f64`.
pub(super) fn unsigned_to_double(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    if !writer.machine.has_masks {
        return writer.unsigned_to_double(a);
    }
    writer.widened(Code::EVEX_Vcvtudq2pd_xmm_k1z_xmmm64b32, Elem::F64, a)
}

/// `f64` as unsigned 32-bit integers, saturated above; zero where the mask is clear, and arbitrary
/// below zero.
pub(super) fn double_to_unsigned(writer: &mut CodeWriter, a: &WideValue, wanted: Option<&WideValue>) -> WideValue {
    if !writer.machine.has_masks {
        let number = writer.double_to_unsigned(a);
        return match wanted {
            Some(wanted) => writer.where_set(wanted, &number),
            None => number,
        };
    }
    writer.narrowed_where(Code::EVEX_Vcvttpd2udq_xmm_k1z_xmmm128b64, Elem::I32, a, wanted)
}

fn single(writer: &mut CodeWriter, from: Scalar, a: &WideValue) -> Option<WideValue> {
    Some(match from {
        Scalar::Bool => {
            let one = writer.bits_as(Elem::F32, a.width, 1.0_f32.to_bits().into());
            writer.where_set(a, &one)
        }
        Scalar::I32 => writer.unary(Code::EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32, Elem::F32, a, None),
        Scalar::U32 if !writer.machine.has_masks => writer.unsigned_to_single(a),
        // There are instructions on scalars, which Cranelift knows too.
        Scalar::I64 | Scalar::U64 if !writer.machine.has_masks => return None,
        Scalar::U32 => writer.unary(Code::EVEX_Vcvtudq2ps_xmm_k1z_xmmm128b32, Elem::F32, a, None),
        Scalar::I64 => writer.narrowed(Code::EVEX_Vcvtqq2ps_xmm_k1z_xmmm128b64, Elem::F32, a),
        Scalar::U64 => writer.narrowed(Code::EVEX_Vcvtuqq2ps_xmm_k1z_xmmm128b64, Elem::F32, a),
        Scalar::F32 => a.clone(),
        Scalar::F64 => writer.narrowed(Code::EVEX_Vcvtpd2ps_xmm_k1z_xmmm128b64, Elem::F32, a),
    })
}

fn double(writer: &mut CodeWriter, from: Scalar, a: &WideValue) -> WideValue {
    match from {
        Scalar::Bool => {
            let one = writer.bits_as(Elem::F64, a.width, 1.0_f64.to_bits());
            writer.where_set(a, &one)
        }
        Scalar::I32 => writer.widened(Code::EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32, Elem::F64, a),
        Scalar::U32 => unsigned_to_double(writer, a),
        Scalar::I64 | Scalar::U64 if !writer.machine.has_masks => writer.long_to_double(a, from == Scalar::I64),
        Scalar::I64 => writer.unary(Code::EVEX_Vcvtqq2pd_xmm_k1z_xmmm128b64, Elem::F64, a, None),
        Scalar::U64 => writer.unary(Code::EVEX_Vcvtuqq2pd_xmm_k1z_xmmm128b64, Elem::F64, a, None),
        Scalar::F32 => writer.widened(Code::EVEX_Vcvtps2pd_xmm_k1z_xmmm64b32, Elem::F64, a),
        Scalar::F64 => a.clone(),
    }
}
