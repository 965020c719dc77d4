//! Counting, finding and reversing bits.
//!
//! Cranelift supports these for scalars only. Lanes find a bit by a conversion to float, whose
//! exponent is the position of the highest bit.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};
use tilewise_ir::types::Scalar;

use super::super::pieces::{Pieces, vector_type};
use super::Cx;
use super::integer::is_signed;
use super::steps::{ones, width_of};
use super::table::{Lanewise, lanewise_if_wide};
use crate::lanes::Elem;

/// The operations lowered here.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum CountRow {
    CountOnes,
    LeadingZeros,
    TrailingZeros,
    FirstLow,
    FirstHigh,
    SwapBytes,
    ReverseBits,
}

impl CountRow {
    /// When its lanes are scalarised, for a scalar.
    pub(super) const fn lanewise(self, scalar: Scalar) -> Lanewise {
        match self {
            CountRow::LeadingZeros | CountRow::TrailingZeros | CountRow::FirstLow | CountRow::FirstHigh => {
                lanewise_if_wide(scalar)
            }
            CountRow::CountOnes | CountRow::SwapBytes | CountRow::ReverseBits => Lanewise::Never,
        }
    }
}

/// Lowers an operation that counts or reverses bits.
pub(super) fn row(cx: &mut Cx<'_, '_>, row: CountRow, scalar: Scalar, args: &[Pieces]) -> Pieces {
    let a = args[0];
    let signed = is_signed(scalar);
    match row {
        CountRow::CountOnes => {
            let count = cx.count_ones(a);
            cx.as_i32(count)
        }
        CountRow::LeadingZeros => {
            let count = cx.leading_zeros(a);
            cx.as_i32(count)
        }
        CountRow::TrailingZeros => {
            let (place, none) = (cx.lowest_bit(a), cx.bits(a, width_of(a.elem()).into()));
            let count = cx.unless_zero(a, place, none);
            cx.as_i32(count)
        }
        CountRow::FirstLow => {
            let (place, none) = (cx.lowest_bit(a), cx.bits(a, u64::MAX));
            cx.unless_zero(a, place, none)
        }
        CountRow::FirstHigh => {
            // Negative numbers are inverted. If no bit is set, the number of leading zeros equals
            // the width, which results in -1.
            let searched = if signed {
                let signs = cx.down_signed(a, width_of(a.elem()) - 1);
                cx.xor(a, signs)
            } else {
                a
            };
            let zeros = cx.leading_zeros(searched);
            let last = cx.bits(a, (width_of(a.elem()) - 1).into());
            cx.isub(last, zeros)
        }
        CountRow::SwapBytes => cx.bytes_reversed(a),
        CountRow::ReverseBits if !a.is_vector() => cx.one(a.elem(), a, &|at, a| at.bitrev(a)),
        CountRow::ReverseBits => {
            let mut a = cx.bytes_reversed(a);
            for (shift, mask) in [(4, 0x0f), (2, 0x33), (1, 0x55)] {
                let mask = cx.bits(a, u64::MAX / 255 * mask);
                let (low, high) = (cx.and(a, mask), cx.down(a, shift));
                let (low, high) = (cx.up(low, shift), cx.and(high, mask));
                a = cx.or(low, high);
            }
            a
        }
    }
}

impl Cx<'_, '_> {
    fn count_ones(&mut self, a: Pieces) -> Pieces {
        if !a.is_vector() {
            return self.one(a.elem(), a, &|at, a| at.popcnt(a));
        }
        // Counts per byte, summed by a multiplication, or by halves where multiplications are
        // expensive.
        let mut counts = a;
        let parts: Vec<_> = a
            .parts()
            .iter()
            .map(|&part| {
                let bytes = self.retyped(types::I8X16, part);
                let counts = self.at().popcnt(bytes);
                self.retyped(vector_type(a.elem()), counts)
            })
            .collect();
        counts = Pieces::from_parts(counts.elem(), &parts);
        for shift in [8, 16, 32].into_iter().take_while(|&shift| shift < width_of(a.elem())) {
            let other = self.down(counts, shift);
            counts = self.iadd(counts, other);
        }
        let mask = self.bits(a, 0x7f);
        self.and(counts, mask)
    }

    fn leading_zeros(&mut self, a: Pieces) -> Pieces {
        if !a.is_vector() {
            return self.one(a.elem(), a, &|at, a| at.clz(a));
        }
        if a.elem() == Elem::I64 {
            return self.by_lanes(Elem::I64, &[a], &mut |cx, args| cx.leading_zeros(args[0]));
        }
        // Without the bit below the highest one, rounding cannot carry.
        let half = self.down(a, 1);
        let thinned = self.without(a, half);
        let float = self.one(Elem::F32, thinned, &|at, a| at.fcvt_from_sint(types::F32X4, a));
        let bits = self.as_int(float);
        let exponent = self.down(bits, 23);
        // 31 + 127 minus the exponent. Negative numbers have the sign above the exponent, which
        // results in less than 0; zero results in more than 32.
        let base = self.bits(a, 158);
        let zeros = self.isub(base, exponent);
        let (least, most) = (self.bits(a, 0), self.bits(a, 32));
        let zeros = self.extreme(zeros, least, true, true);
        self.extreme(zeros, most, true, false)
    }

    /// The position of the lowest bit; arbitrary if there is none.
    fn lowest_bit(&mut self, a: Pieces) -> Pieces {
        if !a.is_vector() {
            return self.one(a.elem(), a, &|at, a| at.ctz(a));
        }
        if a.elem() == Elem::I64 {
            return self.by_lanes(Elem::I64, &[a], &mut |cx, args| cx.lowest_bit(args[0]));
        }
        let negated = self.one(a.elem(), a, &|at, a| at.ineg(a));
        let bit = self.and(a, negated);
        let float = self.one(Elem::F32, bit, &|at, a| at.fcvt_from_sint(types::F32X4, a));
        let bits = self.as_int(float);
        let exponent = self.down(bits, 23);
        // The highest bit alone is a negative number, whose sign is above the exponent.
        let (mask, base) = (self.bits(a, 255), self.bits(a, 127));
        let exponent = self.and(exponent, mask);
        self.isub(exponent, base)
    }

    fn unless_zero(&mut self, a: Pieces, place: Pieces, none: Pieces) -> Pieces {
        let zero = self.bits(a, 0);
        let empty = self.icmp(IntCC::Equal, a, zero);
        self.choose(empty, none, place)
    }

    fn bytes_reversed(&mut self, a: Pieces) -> Pieces {
        if !a.is_vector() {
            return self.one(a.elem(), a, &|at, a| at.bswap(a));
        }
        let size = width_of(a.elem()) as u8 / 8;
        let picks = std::array::from_fn(|i| i as u8 / size * size + (size - 1 - i as u8 % size));
        debug_assert_eq!(ones(a.elem()).count_ones(), u32::from(size) * 8);
        let parts: Vec<_> =
            a.parts().iter().map(|&part| self.shuffled(vector_type(a.elem()), part, part, picks)).collect();
        Pieces::from_parts(a.elem(), &parts)
    }
}
