//! Rounding floats to whole numbers, and splitting floats into fraction and exponent.

use iced_x86::Code;

use super::super::vectors::{WideValue, float_bits, is_wide, sized};
use super::super::writer::CodeWriter;
use super::float::{classes, copysign};
use crate::emit::op::round::RoundRow;
use crate::lanes::Elem;

/// Directions of rounding, as the instruction numbers them, without a signal of inexactness.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Rounding {
    Even = 8,
    Floor = 9,
    Ceil = 10,
    Trunc = 11,
}

/// Rounds to a whole number.
pub(super) fn rounded(writer: &mut CodeWriter, a: &WideValue, to: Rounding) -> WideValue {
    let code =
        sized(a.elem, Code::EVEX_Vrndscaleps_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vrndscalepd_xmm_k1z_xmmm128b64_imm8);
    writer.unary(code, a.elem, a, Some(to as u8))
}

/// Lowers an operation.
pub(super) fn row(writer: &mut CodeWriter, row: RoundRow, args: &[WideValue]) -> Option<WideValue> {
    let a = &args[0];
    Some(match row {
        RoundRow::FrexpFract if !writer.machine.has_masks => {
            let fraction = writer.fraction_by_bits(a);
            let other = writer.class_of(a, classes::NAN | classes::ZERO | classes::INFINITE);
            writer.select(&other, a, &fraction)
        }
        RoundRow::FrexpFract => {
            // The fraction in [1/2, 1), with the sign.
            let code = sized(
                a.elem,
                Code::EVEX_Vgetmantps_xmm_k1z_xmmm128b32_imm8,
                Code::EVEX_Vgetmantpd_xmm_k1z_xmmm128b64_imm8,
            );
            let fraction = writer.unary(code, a.elem, a, Some(2));
            let other = writer.class_of(a, classes::NAN | classes::ZERO | classes::INFINITE);
            writer.select(&other, a, &fraction)
        }
        RoundRow::FrexpExp => {
            let exponent = exponent(writer, a);
            let one = writer.bits(&exponent, 1);
            let exponent = writer.iadd(&exponent, &one);
            let other = writer.class_of(a, classes::NAN | classes::ZERO | classes::INFINITE);
            let number = writer.mask_not(&other);
            writer.where_set(&number, &exponent)
        }
        RoundRow::Ilogb => {
            let exponent = exponent(writer, a);
            let (least, most) = (writer.bits(&exponent, 1 << 31), writer.bits(&exponent, (1 << 31) - 1));
            let infinite = writer.class_of(a, classes::INFINITE);
            let exponent = writer.select(&infinite, &most, &exponent);
            let none = writer.class_of(a, classes::NAN | classes::ZERO);
            writer.select(&none, &least, &exponent)
        }
        // It takes several products, of which only one may round.
        RoundRow::Ldexp if !writer.machine.has_masks => return None,
        RoundRow::Ldexp => {
            // The instruction rounds once. Beyond 2^24 the exponent is not exact, and no number is
            // left that is neither zero nor infinite.
            let exponent = match is_wide(a.elem) {
                false => {
                    let code = Code::EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32;
                    writer.unary(code, Elem::F32, &args[1], None)
                }
                true => writer.widened(Code::EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32, Elem::F64, &args[1]),
            };
            let code =
                sized(a.elem, Code::EVEX_Vscalefps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vscalefpd_xmm_k1z_xmm_xmmm128b64);
            writer.binary(code, a, &exponent)
        }
        RoundRow::Floor => rounded(writer, a, Rounding::Floor),
        RoundRow::Ceil => rounded(writer, a, Rounding::Ceil),
        RoundRow::Trunc => rounded(writer, a, Rounding::Trunc),
        RoundRow::RoundEven => rounded(writer, a, Rounding::Even),
        RoundRow::Round => {
            // The largest number below 1/2, added away from zero: it carries exactly the fractions
            // from one half on past the next integer.
            let before_half = writer.bits(a, float_bits(a.elem, 0.5) - 1);
            let half = copysign(writer, &before_half, a);
            let moved = writer.fadd(a, &half);
            rounded(writer, &moved, Rounding::Trunc)
        }
        RoundRow::Fract => {
            let floor = rounded(writer, a, Rounding::Floor);
            writer.fsub(a, &floor)
        }
        RoundRow::ModfFract => {
            let whole = rounded(writer, a, Rounding::Trunc);
            let rest = writer.fsub(a, &whole);
            // For an infinity the difference would be NaN.
            let infinite = writer.class_of(a, classes::INFINITE);
            let zero = writer.float(a, 0.0);
            let rest = writer.select(&infinite, &zero, &rest);
            copysign(writer, &rest, a)
        }
    })
}

/// Rounds towards zero.
pub(in super::super) fn truncated(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    rounded(writer, a, Rounding::Trunc)
}

/// The exponent as an `i32`: the logarithm rounded down; arbitrary if there is none.
fn exponent(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    if !writer.machine.has_masks {
        let exponent = writer.exponent_by_bits(a);
        return writer.low_words(&exponent);
    }
    let code = sized(a.elem, Code::EVEX_Vgetexpps_xmm_k1z_xmmm128b32, Code::EVEX_Vgetexppd_xmm_k1z_xmmm128b64);
    let exponent = writer.unary(code, a.elem, a, None);
    match is_wide(a.elem) {
        false => writer.unary(Code::EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32, Elem::I32, &exponent, None),
        true => writer.narrowed(Code::EVEX_Vcvttpd2dq_xmm_k1z_xmmm128b64, Elem::I32, &exponent),
    }
}
