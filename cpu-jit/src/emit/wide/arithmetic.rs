//! Arithmetic on integers, bits and floats that many recipes use: the instruction, or what stands
//! for it ([`substitutes`](super::substitutes)).

use iced_x86::Code;

use super::vectors::{IntOrder, WideValue, is_wide, ones, sized};
use super::writer::CodeWriter;
use crate::lanes::Elem;

impl CodeWriter {
    /// Adds integers.
    pub(super) fn iadd(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vpaddd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpaddq_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// Subtracts integers.
    pub(super) fn isub(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vpsubd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpsubq_xmm_k1z_xmm_xmmm128b64);
        self.binary(code, a, b)
    }

    /// Multiplies integers.
    pub(super) fn imul(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        if is_wide(a.elem) && !self.machine.has_masks {
            return self.product_by_words(a, b);
        }
        let code = sized(a.elem, Code::EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// The minimum or maximum of integers.
    pub(super) fn extreme(&mut self, a: &WideValue, b: &WideValue, signed: bool, larger: bool) -> WideValue {
        if is_wide(a.elem) && !self.machine.has_masks {
            let (a, b) = (self.loaded(a), self.loaded(b));
            let order = if larger { IntOrder::Greater } else { IntOrder::Less };
            let better = self.compare_ints(order, signed, &a, &b);
            return self.select(&better, &a, &b);
        }
        let code = match (is_wide(a.elem), signed, larger) {
            (false, true, false) => Code::EVEX_Vpminsd_xmm_k1z_xmm_xmmm128b32,
            (false, true, true) => Code::EVEX_Vpmaxsd_xmm_k1z_xmm_xmmm128b32,
            (false, false, false) => Code::EVEX_Vpminud_xmm_k1z_xmm_xmmm128b32,
            (false, false, true) => Code::EVEX_Vpmaxud_xmm_k1z_xmm_xmmm128b32,
            (true, true, false) => Code::EVEX_Vpminsq_xmm_k1z_xmm_xmmm128b64,
            (true, true, true) => Code::EVEX_Vpmaxsq_xmm_k1z_xmm_xmmm128b64,
            (true, false, false) => Code::EVEX_Vpminuq_xmm_k1z_xmm_xmmm128b64,
            (true, false, true) => Code::EVEX_Vpmaxuq_xmm_k1z_xmm_xmmm128b64,
        };
        self.commutative(code, a, b)
    }

    /// Bitwise and.
    pub(super) fn and(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        if a.elem == Elem::Bool {
            return self.mask_and(a, b);
        }
        let code = sized(a.elem, Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpandq_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// `a` without the bits of `b`.
    pub(super) fn without(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        if let Some(bits) = b.constant {
            let rest = self.bits(a, !bits);
            return self.and(a, &rest);
        }
        let code = sized(a.elem, Code::EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpandnq_xmm_k1z_xmm_xmmm128b64);
        // The instruction inverts its first source.
        self.binary(code, &b.seen_as(a.elem), a)
    }

    /// Bitwise or.
    pub(super) fn or(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        if a.elem == Elem::Bool {
            return self.mask_or(a, b);
        }
        let code = sized(a.elem, Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vporq_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// Bitwise exclusive or.
    pub(super) fn xor(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        if a.elem == Elem::Bool {
            return self.mask_xor(a, b);
        }
        let code = sized(a.elem, Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpxorq_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// Inverts all bits.
    pub(super) fn not(&mut self, a: &WideValue) -> WideValue {
        if a.elem == Elem::Bool {
            return self.mask_not(a);
        }
        let ones = self.bits(a, u64::MAX);
        self.xor(a, &ones)
    }

    /// Shifts left by a constant below the width.
    pub(super) fn up(&mut self, a: &WideValue, by: u32) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vpslld_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vpsllq_xmm_k1z_xmmm128b64_imm8);
        self.unary(code, a.elem, a, Some(by as u8))
    }

    /// Logical shift right by a constant below the width.
    pub(super) fn down(&mut self, a: &WideValue, by: u32) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vpsrld_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vpsrlq_xmm_k1z_xmmm128b64_imm8);
        self.unary(code, a.elem, a, Some(by as u8))
    }

    /// Arithmetic shift right by a constant below the width.
    pub(super) fn down_signed(&mut self, a: &WideValue, by: u32) -> WideValue {
        if is_wide(a.elem) && !self.machine.has_masks {
            return self.down_signed_by_words(a, by);
        }
        let code = sized(a.elem, Code::EVEX_Vpsrad_xmm_k1z_xmmm128b32_imm8, Code::EVEX_Vpsraq_xmm_k1z_xmmm128b64_imm8);
        self.unary(code, a.elem, a, Some(by as u8))
    }

    /// Adds floats.
    pub(super) fn fadd(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vaddps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vaddpd_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// Subtracts floats.
    pub(super) fn fsub(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vsubps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vsubpd_xmm_k1z_xmm_xmmm128b64);
        self.binary(code, a, b)
    }

    /// Multiplies floats.
    pub(super) fn fmul(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vmulps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vmulpd_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// Divides floats.
    pub(super) fn fdiv(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        let code = sized(a.elem, Code::EVEX_Vdivps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vdivpd_xmm_k1z_xmm_xmmm128b64);
        self.binary(code, a, b)
    }

    /// The size of floats.
    pub(super) fn fabs(&mut self, a: &WideValue) -> WideValue {
        let size = self.bits(a, ones(a.elem) >> 1);
        self.and(a, &size)
    }
}
