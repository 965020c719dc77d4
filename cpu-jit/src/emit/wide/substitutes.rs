//! What stands for instructions of AVX-512 where there is only AVX2: 64-bit products, extremes and
//! arithmetic shifts, rotations, leading zeros, classes of floats, conversions, narrow lanes.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::ops::classes;
use super::vcode::{RegisterView, VECTOR, VectorLength};
use super::vectors::{FloatOrder, IntOrder, Parts, WideValue, bits_of, float_bits, integer_of, is_wide, ones, sized};
use super::writer::{CodeWriter, InstOperand, at_length, vector};
use crate::lanes::Elem;

impl CodeWriter {
    // Integers of 64 bits.

    /// A product of 64-bit lanes, of the products of their words.
    pub(super) fn product_by_words(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let (a, b) = (self.loaded(a), self.loaded(b));
        let (high_a, high_b) = (self.down(&a, 32), self.down(&b, 32));
        let crossed = self.low_products(&high_a, &b);
        let other = self.low_products(&a, &high_b);
        let crossed = self.iadd(&crossed, &other);
        let crossed = self.up(&crossed, 32);
        let low = self.low_products(&a, &b);
        self.iadd(&low, &crossed)
    }

    /// The products of the low words of 64-bit lanes.
    fn low_products(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.binary(Code::EVEX_Vpmuludq_xmm_k1z_xmm_xmmm128b64, a, b)
    }

    /// Arithmetic shift right of 64-bit lanes by a constant.
    pub(super) fn down_signed_by_words(&mut self, a: &WideValue, by: u32) -> WideValue {
        if by == 0 {
            return a.clone();
        }
        if by == 63 {
            let zero = self.bits(a, 0);
            return self.binary(Code::VEX_Vpcmpgtq_xmm_xmm_xmmm128, &zero, a);
        }
        // The sign bit, moved, is subtracted where it is set.
        let sign = self.bits(a, 1 << (63 - by));
        let moved = self.down(a, by);
        let turned = self.xor(&moved, &sign);
        self.isub(&turned, &sign)
    }

    /// Arithmetic shift right of 64-bit lanes by lanes below 64.
    pub(super) fn down_signed_by_lanes(&mut self, a: &WideValue, by: &WideValue) -> WideValue {
        let code = Code::EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64;
        let by = by.seen_as(a.elem);
        let top = self.bits(a, 1 << 63);
        let sign = self.binary(code, &top, &by);
        let moved = self.binary(code, a, &by);
        let turned = self.xor(&moved, &sign);
        self.isub(&turned, &sign)
    }

    /// The size of 64-bit integers.
    pub(super) fn absolute_by_sign(&mut self, a: &WideValue) -> WideValue {
        let signs = self.down_signed(a, bits_of(a.elem) - 1);
        let turned = self.xor(a, &signs);
        self.isub(&turned, &signs)
    }

    // Bits.

    /// A rotation to the left by a constant below the width.
    pub(super) fn rotated(&mut self, a: &WideValue, by: u32) -> WideValue {
        if by == 0 {
            return a.clone();
        }
        let (high, low) = (self.up(a, by), self.down(a, bits_of(a.elem) - by));
        self.or(&high, &low)
    }

    /// A rotation by lanes of numbers, modulo the width. Shifts by the whole width yield zero.
    pub(super) fn rotated_by_lanes(&mut self, a: &WideValue, by: &WideValue, left: bool) -> WideValue {
        let up = sized(a.elem, Code::EVEX_Vpsllvd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsllvq_xmm_k1z_xmm_xmmm128b64);
        let down = sized(a.elem, Code::EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsrlvq_xmm_k1z_xmm_xmmm128b64);
        let a = self.loaded(a);
        let last = self.bits(by, u64::from(bits_of(a.elem)) - 1);
        let by = self.and(by, &last);
        let width = self.bits(&by, bits_of(a.elem).into());
        let rest = self.isub(&width, &by).seen_as(a.elem);
        let by = by.seen_as(a.elem);
        let (first, second) = if left { (&by, &rest) } else { (&rest, &by) };
        let (high, low) = (self.binary(up, &a, first), self.binary(down, &a, second));
        self.or(&high, &low)
    }

    /// The number of leading zeros.
    pub(super) fn leading_zeros_by_floats(&mut self, a: &WideValue) -> WideValue {
        if !is_wide(a.elem) {
            return self.leading_zeros_of_words(a);
        }
        // Of both words; those of the low one count where the high one is zero.
        let registers = self.registers(a);
        let words = WideValue::of(Elem::I32, a.width * 2, registers.iter().copied());
        let zeros = self.leading_zeros_of_words(&words);
        let registers = self.registers(&zeros);
        let zeros = WideValue::of(Elem::I64, a.width, registers);
        let (high, word) = (self.down(&zeros, 32), self.bits(&zeros, 0xffff_ffff));
        let low = self.and(&zeros, &word);
        let all = self.bits(&zeros, 32);
        let empty = self.binary(Code::VEX_Vpcmpeqq_xmm_xmm_xmmm128, &high, &all);
        let low = self.and(&low, &empty);
        self.iadd(&high, &low).seen_as(a.elem)
    }

    /// Of 32-bit lanes: from the exponent of the number as a float. Without the bit below the
    /// highest, rounding does not reach the next exponent.
    fn leading_zeros_of_words(&mut self, a: &WideValue) -> WideValue {
        let a = self.loaded(a);
        let below = self.down(&a, 1);
        let alone = self.without(&a, &below);
        let float = self.unary(Code::EVEX_Vcvtdq2ps_xmm_k1z_xmmm128b32, Elem::I32, &alone, None);
        // With the sign above it, which a number has that begins with a one.
        let exponent = self.down(&float, 23);
        // 158 is the exponent of 2^31. Both numbers are 16 bits long.
        let highest = self.bits(&a, 158);
        let zeros = self.binary(Code::VEX_Vpsubusw_xmm_xmm_xmmm128, &highest, &exponent);
        let most = self.bits(&a, 32);
        self.extreme(&zeros, &most, false, false)
    }

    // Floats.

    /// The mask of floats of these classes, by their bits: NaN, zeros, infinities, denormals.
    pub(super) fn class_by_bits(&mut self, a: &WideValue, wanted: u8) -> WideValue {
        let a = &self.loaded(a);
        let int = integer_of(a.elem);
        let rest = self.bits_as(int, a.width, ones(a.elem) >> 1);
        let size = self.and(&a.seen_as(int), &rest);
        let mut found: Option<WideValue> = None;
        let infinity = float_bits(a.elem, f64::INFINITY);
        let infinity = self.bits(&size, infinity);
        let zero = self.bits(&size, 0);
        let one = self.bits(&size, 1);
        for class in [classes::NAN, classes::ZERO, classes::INFINITE, classes::DENORMAL] {
            if wanted & class == 0 {
                continue;
            }
            let own = match class {
                classes::NAN => self.compare_floats(FloatOrder::Unordered, a, a),
                classes::ZERO => self.compare_ints(IntOrder::Equal, true, &size, &zero),
                classes::INFINITE => self.compare_ints(IntOrder::Equal, true, &size, &infinity),
                // Below the smallest normal number, and not zero: no sizes are negative.
                _ => {
                    let less = self.isub(&size, &one);
                    let last = self.bits(&size, (1 << mantissa(a.elem)) - 1);
                    self.compare_ints(IntOrder::Less, false, &less, &last)
                }
            };
            found = Some(match found {
                Some(before) => self.mask_or(&before, &own),
                None => own,
            });
        }
        found.unwrap_or_else(|| self.constant_mask(a.width, false))
    }

    /// A nonzero finite number of normal size, times a power of two, and the logarithm of that
    /// power for each lane: denormals are multiplied.
    fn normalised(&mut self, a: &WideValue) -> (WideValue, WideValue) {
        let shift = mantissa(a.elem) + 1;
        let denormal = self.class_by_bits(a, classes::DENORMAL);
        let factor = self.float(a, 2_f64.powi(shift as i32));
        let larger = self.fmul(a, &factor);
        let number = self.select(&denormal, &larger, a);
        let by = self.bits_as(integer_of(a.elem), a.width, shift.into());
        (number, self.where_set(&denormal, &by))
    }

    /// The exponent of floats as integers of their width: the logarithm rounded down; arbitrary if
    /// there is none.
    pub(super) fn exponent_by_bits(&mut self, a: &WideValue) -> WideValue {
        let a = self.loaded(a);
        let (number, shift) = self.normalised(&a);
        let bits = number.seen_as(integer_of(a.elem));
        let rest = self.bits(&bits, ones(a.elem) >> 1);
        let size = self.and(&bits, &rest);
        let exponent = self.down(&size, mantissa(a.elem));
        let bias = self.bits(&exponent, if is_wide(a.elem) { 1023 } else { 127 });
        let exponent = self.isub(&exponent, &bias);
        self.isub(&exponent, &shift)
    }

    /// The fraction of floats in [1/2, 1), with their sign; arbitrary if there is none.
    pub(super) fn fraction_by_bits(&mut self, a: &WideValue) -> WideValue {
        let a = self.loaded(a);
        let (number, _) = self.normalised(&a);
        let exponent = float_bits(a.elem, f64::INFINITY);
        let rest = self.bits(&a, !exponent);
        let kept = self.and(&number, &rest);
        let half = self.float(&a, 0.5);
        self.or(&kept, &half)
    }

    // Conversions.

    /// Unsigned 32-bit integers as `f32`: both halves as floats whose exponent puts them in place,
    /// added with one rounding.
    pub(super) fn unsigned_to_single(&mut self, a: &WideValue) -> WideValue {
        let word = self.bits(a, 0xffff);
        let low = self.and(a, &word);
        let high = self.down(a, 16);
        // 2^23 and 2^39.
        let (low_one, high_one) = (self.bits(a, 0x4b00_0000), self.bits(a, 0x5300_0000));
        let (low, high) = (self.or(&low, &low_one), self.or(&high, &high_one));
        let (low, high) = (low.seen_as(Elem::F32), high.seen_as(Elem::F32));
        let both = self.float(&high, 2_f64.powi(39) + 2_f64.powi(23));
        let high = self.fsub(&high, &both);
        self.fadd(&high, &low)
    }

    /// Unsigned 32-bit integers as `f64`, exactly.
    pub(super) fn unsigned_to_double(&mut self, a: &WideValue) -> WideValue {
        let wide = self.extended(a, Elem::I64, false);
        self.small_to_double(&wide)
    }

    /// Unsigned integers below 2^52 as `f64`, exactly.
    fn small_to_double(&mut self, a: &WideValue) -> WideValue {
        let one = self.bits_as(Elem::I64, a.width, 2_f64.powi(52).to_bits());
        let moved = self.or(a, &one).seen_as(Elem::F64);
        self.fsub(&moved, &one.seen_as(Elem::F64))
    }

    /// 64-bit integers as `f64`: both words exactly, added with one rounding.
    pub(super) fn long_to_double(&mut self, a: &WideValue, signed: bool) -> WideValue {
        let a = self.loaded(a);
        let word = self.bits(&a, 0xffff_ffff);
        let low = self.and(&a, &word);
        let low = self.small_to_double(&low);
        let high = self.down(&a, 32);
        let high = if signed {
            let high = self.low_words(&high);
            self.widened(Code::EVEX_Vcvtdq2pd_xmm_k1z_xmmm64b32, Elem::F64, &high)
        } else {
            self.small_to_double(&high)
        };
        let scale = self.float(&high, 2_f64.powi(32));
        let high = self.fmul(&high, &scale);
        self.fadd(&high, &low)
    }

    /// `f32` as unsigned 32-bit integers; numbers from 2^32 on become the largest. Arbitrary for
    /// those that are not above 0.
    pub(super) fn single_to_unsigned(&mut self, a: &WideValue) -> WideValue {
        let a = self.loaded(a);
        let half = self.float(&a, 2_f64.powi(31));
        let upper = self.compare_floats(FloatOrder::GreaterEqual, &a, &half);
        let less = self.where_set(&upper, &half);
        let low = self.fsub(&a, &less);
        let low = self.unary(Code::EVEX_Vcvttps2dq_xmm_k1z_xmmm128b32, Elem::I32, &low, None);
        let top = self.bits(&low, 1 << 31);
        let top = self.where_set(&upper, &top);
        let number = self.xor(&low, &top);
        let end = self.float(&a, 2_f64.powi(32));
        let beyond = self.compare_floats(FloatOrder::GreaterEqual, &a, &end);
        let most = self.bits(&number, u64::MAX);
        self.select(&beyond, &most, &number)
    }

    /// `f64` as unsigned 32-bit integers; numbers from 2^32 on become the largest. Arbitrary for
    /// those that are below 0.
    pub(super) fn double_to_unsigned(&mut self, a: &WideValue) -> WideValue {
        let most = self.float(a, f64::from(u32::MAX));
        // The instruction yields its second operand for NaN, which is arbitrary.
        let held = self.binary(Code::EVEX_Vminpd_xmm_k1z_xmm_xmmm128b64, a, &most);
        let whole = super::ops::truncated(self, &held);
        // The integer is in the lowest bits of the sum with 2^52.
        let one = self.float(&whole, 2_f64.powi(52));
        let moved = self.fadd(&whole, &one);
        self.low_words(&moved.seen_as(Elem::I64))
    }

    // Lanes of other widths.

    /// The low words of 64-bit lanes, of two parts at once.
    pub(super) fn even_words(&mut self, a: &WideValue) -> WideValue {
        const EVEN: u8 = 0x88;
        let length = a.length();
        let registers = self.registers(a);
        let y = RegisterView::Vector(VectorLength::Y);
        let mut parts: SmallVec<[VReg; 8]> = SmallVec::new();
        if let (VectorLength::Y, [whole]) = (length, registers.as_slice()) {
            let upper = [vector(*whole, VectorLength::Y), InstOperand::Imm8(1)];
            let x = RegisterView::Vector(VectorLength::X);
            let upper = self.def(Code::VEX_Vextracti128_xmmm128_ymm_imm8, VECTOR, x, &upper);
            let both = [vector(*whole, VectorLength::X), vector(upper, VectorLength::X), InstOperand::Imm8(EVEN)];
            parts.push(self.def(Code::VEX_Vshufps_xmm_xmm_xmmm128_imm8, VECTOR, x, &both));
        } else if length == VectorLength::X {
            // One lane.
            parts.push(registers[0]);
        } else {
            for pair in registers.chunks(2) {
                let both = [vector(pair[0], length), vector(pair[1], length), InstOperand::Imm8(EVEN)];
                let mixed = self.def(Code::VEX_Vshufps_ymm_ymm_ymmm256_imm8, VECTOR, y, &both);
                // The quarters are those of the first, the second, the first, the second.
                let quarters = [vector(mixed, length), InstOperand::Imm8(0b11_01_10_00)];
                parts.push(self.def(Code::VEX_Vpermq_ymm_ymmm256_imm8, VECTOR, y, &quarters));
            }
        }
        WideValue::of(Elem::I32, a.width, parts)
    }

    /// The low 16 bits of a part of 32-bit lanes, side by side in the lowest half of a register;
    /// the other bits of the lanes are zero.
    pub(super) fn packed_words(&mut self, whole: VReg, length: VectorLength) -> VReg {
        let code = at_length(Code::VEX_Vpackusdw_xmm_xmm_xmmm128, length);
        let sources = [vector(whole, length); 2];
        let packed = self.def(code, VECTOR, RegisterView::Vector(length), &sources);
        if length == VectorLength::X {
            return packed;
        }
        let quarters = [vector(packed, length), InstOperand::Imm8(0b10_00)];
        self.def(Code::VEX_Vpermq_ymm_ymmm256_imm8, VECTOR, RegisterView::Vector(length), &quarters)
    }

    /// The low 8 or 16 bits of each part of 32-bit lanes, side by side.
    pub(super) fn packed(&mut self, lanes: &WideValue, bytes: u32) -> Parts {
        let length = lanes.length();
        let mask = self.bits(lanes, (1 << (8 * bytes)) - 1);
        let low = self.and(lanes, &mask);
        let mut parts = Parts::new();
        for part in 0..low.parts.len() {
            let whole = self.in_register(&low, part);
            let mut packed = self.packed_words(whole, length);
            if bytes == 1 {
                let sources = [vector(packed, VectorLength::X); 2];
                let x = RegisterView::Vector(VectorLength::X);
                packed = self.def(Code::VEX_Vpackuswb_xmm_xmm_xmmm128, VECTOR, x, &sources);
            }
            parts.push(vector(packed, VectorLength::X));
        }
        parts
    }
}

/// The bits of a float's fraction.
const fn mantissa(elem: Elem) -> u32 {
    if is_wide(elem) { 52 } else { 23 }
}
