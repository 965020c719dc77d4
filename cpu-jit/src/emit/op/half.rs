//! 16-bit floats, their bits in the low half of an `i32`.

use cranelift_codegen::ir::condcodes::IntCC;

use super::super::pieces::Pieces;
use super::Cx;
use crate::lanes::Elem;

impl Cx<'_, '_> {
    /// The value of a half whose bits are the low 16, the others zero. Exact.
    pub(crate) fn half_to_float(&mut self, half: Pieces) -> Pieces {
        let (sign_bit, rest) = (self.bits(half, 0x8000), self.bits(half, 0x7fff));
        let (sign, size) = (self.and(half, sign_bit), self.and(half, rest));
        let sign = self.up(sign, 16);
        // Exponent and fraction are in place, but the exponent is 112 too small: multiplying by
        // 2^112 is exact, also for denormals.
        let moved = self.up(size, 13);
        let moved = self.seen_as(Elem::F32, moved);
        let scale = self.float(moved, 2_f64.powi(112));
        let scaled = self.fmul(moved, scale);
        let scaled = self.as_int(scaled);
        // Infinity and NaN have an exponent of ones in `f16`, and get one here.
        let top = self.bits(size, 0x7bff);
        let special = self.icmp(IntCC::SignedGreaterThan, size, top);
        let ones = self.bits(size, 0x7f80_0000);
        let ones = self.where_true(special, ones);
        let bits = self.or(scaled, ones);
        let bits = self.or(bits, sign);
        self.seen_as(Elem::F32, bits)
    }

    /// The bits of the nearest half, ties to even, in integers whose other bits are zero. Any NaN
    /// becomes 0x7e00, or that with a sign.
    pub(crate) fn float_to_half(&mut self, float: Pieces) -> Pieces {
        let bits = self.as_int(float);
        let rest = self.bits(bits, 0x7fff_ffff);
        let size = self.and(bits, rest);
        let sign = self.xor(bits, size);
        let sign = self.down(sign, 16);

        // Normal numbers: rebase the exponent, and add the term that rounds to even before
        // truncating the low bits.
        let (one, rebase) = (self.bits(bits, 1), self.bits(bits, u64::from(0xfff_u32.wrapping_sub(112 << 23))));
        let odd = self.down(size, 13);
        let odd = self.and(odd, one);
        let normal = self.iadd(size, rebase);
        let normal = self.iadd(normal, odd);
        let normal = self.down(normal, 13);

        // Below 2^-14: adding 1/2 moves a denormal's bits to the end of the fraction and rounds
        // there.
        let positive = self.seen_as(Elem::F32, size);
        let half = self.float(positive, 0.5);
        let moved = self.fadd(positive, half);
        let (moved, base) = (self.as_int(moved), self.as_int(half));
        let small = self.isub(moved, base);
        let least = self.bits(bits, 113 << 23);
        let is_small = self.icmp(IntCC::SignedLessThan, size, least);
        let finite = self.choose(is_small, small, normal);

        // From 2^16 on: infinity, or NaN.
        let (infinity, nan) = (self.bits(bits, 0x7c00), self.bits(bits, 0x7e00));
        let top = self.bits(bits, 0x7f80_0000);
        let is_nan = self.icmp(IntCC::SignedGreaterThan, size, top);
        let special = self.choose(is_nan, nan, infinity);
        let last = self.bits(bits, (143 << 23) - 1);
        let is_large = self.icmp(IntCC::SignedGreaterThan, size, last);
        let half = self.choose(is_large, special, finite);
        self.or(half, sign)
    }
}
