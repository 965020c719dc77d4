//! Shifts, rotations, and bit fields.

use iced_x86::Code;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Scalar;

use super::super::vectors::{IntOrder, WideValue, bits_of, is_wide, ones, sized};
use super::super::writer::CodeWriter;
use super::is_signed;
use crate::emit::op::shift::{Move, ShiftRow};

/// Lowers a shift, rotation or bit-field operation.
pub(super) fn row(writer: &mut CodeWriter, row: ShiftRow, scalar: Scalar, args: &[WideValue]) -> WideValue {
    let signed = is_signed(scalar);
    match row {
        ShiftRow::Move(way) => moved(writer, way, &args[0], &args[1], signed),
        ShiftRow::ExtractBits => extracted(writer, &args[0], &args[1], &args[2], signed),
        ShiftRow::InsertBits => inserted(writer, &args[0], &args[1], &args[2], &args[3]),
    }
}

/// Shifts or rotates `a` by `n` modulo the width. `signed` is for `shr`.
fn moved(writer: &mut CodeWriter, way: Move, a: &WideValue, n: &WideValue, signed: bool) -> WideValue {
    let last = u64::from(bits_of(a.elem) - 1);
    if let Some(known) = n.constant {
        let by = (known & last) as u8;
        let code = match way {
            Move::Shl => return writer.up(a, by.into()),
            Move::Shr if signed => return writer.down_signed(a, by.into()),
            Move::Shr => return writer.down(a, by.into()),
            Move::Rotl if !writer.machine.has_masks => return writer.rotated(a, by.into()),
            Move::Rotr if !writer.machine.has_masks => {
                return writer.rotated(a, (bits_of(a.elem) - u32::from(by)) % bits_of(a.elem));
            }
            Move::Rotl => {
                sized(a.elem, Code::EVEX_Vprold_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vprolq_xmm_k1z_xmmm128b64_imm8)
            }
            Move::Rotr => {
                sized(a.elem, Code::EVEX_Vprord_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vprorq_xmm_k1z_xmmm128b64_imm8)
            }
        };
        return writer.unary(code, a.elem, a, Some(by));
    }
    let n = writer.extended(n, super::super::vectors::integer_of(a.elem), false);
    let code = match way {
        Move::Rotl | Move::Rotr if !writer.machine.has_masks => {
            return writer.rotated_by_lanes(a, &n, way == Move::Rotl);
        }
        Move::Rotl => {
            sized(a.elem, Code::EVEX_Vprolvd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vprolvq_xmm_k1z_xmm_xmmm128b64)
        }
        Move::Rotr => {
            sized(a.elem, Code::EVEX_Vprorvd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vprorvq_xmm_k1z_xmm_xmmm128b64)
        }
        Move::Shl => {
            sized(a.elem, Code::EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64)
        }
        Move::Shr if signed => {
            sized(a.elem, Code::EVEX_Vpsravd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsravq_xmm_k1z_xmm_xmmm128b64)
        }
        Move::Shr => {
            sized(a.elem, Code::EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64)
        }
    };
    // Rotations are modulo the width by themselves.
    let n = match way {
        Move::Rotl | Move::Rotr => n,
        Move::Shl | Move::Shr if fault::planted(Fault::ShiftNotModulo) => n,
        Move::Shl | Move::Shr => {
            let last = writer.bits(&n, last);
            writer.and(&n, &last)
        }
    };
    if way == Move::Shr && signed && is_wide(a.elem) && !writer.machine.has_masks {
        return writer.down_signed_by_lanes(a, &n);
    }
    writer.binary(code, a, &n.seen_as(a.elem))
}

/// Offset and count of a field, clamped to the word; and the distance from its end to the word's.
fn field(
    writer: &mut CodeWriter,
    e: &WideValue,
    offset: &WideValue,
    count: &WideValue,
) -> (WideValue, WideValue, WideValue) {
    let width = writer.bits(offset, bits_of(e.elem).into());
    let offset = writer.extreme(offset, &width, false, false);
    let room = writer.isub(&width, &offset);
    let count = writer.extreme(count, &room, false, false);
    let above = writer.isub(&room, &count);
    (offset, count, above)
}

/// Is a number of bits nonzero?
fn some(writer: &mut CodeWriter, count: &WideValue) -> WideValue {
    let zero = writer.bits(count, 0);
    writer.compare_ints(IntOrder::NotEqual, true, count, &zero)
}

/// The width minus a number of bits.
fn rest(writer: &mut CodeWriter, e: &WideValue, count: &WideValue) -> WideValue {
    let width = writer.bits(count, bits_of(e.elem).into());
    writer.isub(&width, count)
}

fn extracted(writer: &mut CodeWriter, e: &WideValue, offset: &WideValue, count: &WideValue, signed: bool) -> WideValue {
    let (_, count, above) = field(writer, e, offset, count);
    // Left to the word's end, and right to its beginning. Shifts are modulo the width, which is
    // wrong only for 0 bits.
    let high = moved(writer, Move::Shl, e, &above, false);
    let rest = rest(writer, e, &count);
    let found = moved(writer, Move::Shr, &high, &rest, signed);
    let some = some(writer, &count);
    if fault::planted(Fault::ExtractNothing) {
        return found;
    }
    writer.where_set(&some, &found)
}

fn inserted(
    writer: &mut CodeWriter,
    e: &WideValue,
    new: &WideValue,
    offset: &WideValue,
    count: &WideValue,
) -> WideValue {
    let (offset, count, _) = field(writer, e, offset, count);
    let all = writer.bits(e, ones(e.elem));
    let rest = rest(writer, e, &count);
    let low = moved(writer, Move::Shr, &all, &rest, false);
    let some = some(writer, &count);
    let low = writer.where_set(&some, &low);
    let mask = moved(writer, Move::Shl, &low, &offset, false);
    let placed = moved(writer, Move::Shl, new, &offset, false);
    let (kept, put) = (writer.without(e, &mask), writer.and(&placed, &mask));
    writer.or(&kept, &put)
}
