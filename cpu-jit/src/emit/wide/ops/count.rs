//! Counting, finding and reversing bits.

use iced_x86::Code;
use tilewise_ir::types::Scalar;

use super::super::vectors::{IntOrder, WideValue, bits_of, is_wide, sized};
use super::super::writer::{CodeWriter, InstOperand};
use super::is_signed;
use crate::emit::op::count::CountRow;

/// Lowers an operation that counts or reverses bits.
pub(super) fn row(writer: &mut CodeWriter, row: CountRow, scalar: Scalar, args: &[WideValue]) -> WideValue {
    let a = &args[0];
    match row {
        CountRow::CountOnes => {
            let count = count_ones(writer, a);
            writer.low_words(&count)
        }
        CountRow::LeadingZeros => {
            let count = leading_zeros(writer, a);
            writer.low_words(&count)
        }
        CountRow::TrailingZeros => {
            let count = trailing_zeros(writer, a);
            writer.low_words(&count)
        }
        CountRow::FirstLow => {
            let (zero, none) = (writer.bits(a, 0), writer.bits(a, u64::MAX));
            let empty = writer.compare_ints(IntOrder::Equal, true, a, &zero);
            let place = trailing_zeros(writer, a);
            writer.select(&empty, &none, &place)
        }
        CountRow::FirstHigh => {
            // Negative numbers are inverted. If no bit is set, the number of leading zeros equals
            // the width, which results in -1.
            let searched = if is_signed(scalar) {
                let signs = writer.down_signed(a, bits_of(a.elem) - 1);
                writer.xor(a, &signs)
            } else {
                a.clone()
            };
            let zeros = leading_zeros(writer, &searched);
            let last = writer.bits(a, (bits_of(a.elem) - 1).into());
            writer.isub(&last, &zeros)
        }
        CountRow::SwapBytes => bytes_reversed(writer, a),
        CountRow::ReverseBits => {
            let mut a = bytes_reversed(writer, a);
            for (shift, mask) in [(4, 0x0f), (2, 0x33), (1, 0x55)] {
                let mask = writer.bits(&a, u64::MAX / 255 * mask);
                let low = writer.and(&a, &mask);
                let (low, high) = (writer.up(&low, shift), writer.down(&a, shift));
                let high = writer.and(&high, &mask);
                a = writer.or(&low, &high);
            }
            a
        }
    }
}

fn leading_zeros(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    if !writer.machine.has_masks {
        return writer.leading_zeros_by_floats(a);
    }
    let code = sized(a.elem, Code::EVEX_Vplzcntd_xmm_k1z_xmmm128b32, Code::EVEX_Vplzcntq_xmm_k1z_xmmm128b64);
    writer.unary(code, a.elem, a, None)
}

/// The width minus the leading zeros of the bits below the lowest that is set.
fn trailing_zeros(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    let less = writer.bits(a, u64::MAX);
    let below = writer.iadd(a, &less);
    let below = writer.without(&below, a);
    let zeros = leading_zeros(writer, &below);
    let width = writer.bits(a, bits_of(a.elem).into());
    writer.isub(&width, &zeros)
}

fn count_ones(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    if writer.machine.counts_bits {
        let code = sized(a.elem, Code::EVEX_Vpopcntd_xmm_k1z_xmmm128b32, Code::EVEX_Vpopcntq_xmm_k1z_xmmm128b64);
        return writer.unary(code, a.elem, a, None);
    }
    // Sums of neighbouring bits, then of pairs, of halves of bytes, and of bytes.
    let part = |writer: &mut CodeWriter, mask: u64| writer.bits(a, u64::MAX / 255 * mask);
    let (pairs, fours, eights) = (part(writer, 0x55), part(writer, 0x33), part(writer, 0x0f));
    let high = writer.down(a, 1);
    let high = writer.and(&high, &pairs);
    let sums = writer.isub(a, &high);
    let (low, high) = (writer.and(&sums, &fours), writer.down(&sums, 2));
    let high = writer.and(&high, &fours);
    let sums = writer.iadd(&low, &high);
    let high = writer.down(&sums, 4);
    let sums = writer.iadd(&sums, &high);
    let mut sums = writer.and(&sums, &eights);
    for shift in [8, 16, 32].into_iter().take_while(|&shift| shift < bits_of(a.elem)) {
        let other = writer.down(&sums, shift);
        sums = writer.iadd(&sums, &other);
    }
    let byte = writer.bits(a, 0x7f);
    writer.and(&sums, &byte)
}

fn bytes_reversed(writer: &mut CodeWriter, a: &WideValue) -> WideValue {
    let size = if is_wide(a.elem) { 8 } else { 4 };
    // Within each 16 bytes of the vector.
    let picks: [u8; 64] = std::array::from_fn(|i| (i % 16 / size * size + (size - 1 - i % size)) as u8);
    let offset = writer.constant(&picks);
    let picks = WideValue {
        parts: std::iter::repeat_n(InstOperand::Pool(offset, false), a.parts.len()).collect(),
        constant: None,
        ..a.clone()
    };
    writer.binary(Code::EVEX_Vpshufb_xmm_k1z_xmm_xmmm128, a, &picks)
}
