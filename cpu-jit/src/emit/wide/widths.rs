//! Lanes of 32 bits as lanes of 64, and the other way round.
//!
//! Once lanes fill the longest vector, one part of 32-bit lanes belongs to two parts of 64-bit
//! lanes.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::vcode::{RegisterView, VECTOR, VectorLength};
use super::vectors::{Parts, WideValue, is_wide};
use super::writer::{CodeWriter, InstOperand, Masking, at_length, vector};
use crate::lanes::Elem;

impl CodeWriter {
    /// Lanes of 64 bits made of lanes of 32 by an instruction that reads half of its own length.
    pub(super) fn widened(&mut self, code: Code, to: Elem, a: &WideValue) -> WideValue {
        let length = self.machine.part_length(to, a.width);
        let mut parts = Parts::new();
        for part in 0..self.machine.part_count(to, a.width) {
            let half = self.half(a, part);
            let from = vector(half, VectorLength::of_bytes(length.bytes() / 2));
            let result = self.def(at_length(code, length), VECTOR, RegisterView::Vector(length), &[from]);
            parts.push(vector(result, length));
        }
        WideValue { elem: to, width: a.width, parts, constant: None }
    }

    /// The 32-bit lanes that belong to a part of 64-bit lanes, in the lowest lanes of a register.
    pub(super) fn half(&mut self, a: &WideValue, part: usize) -> VReg {
        if self.machine.part_count(Elem::I64, a.width) == a.parts.len() {
            return self.in_register(a, part);
        }
        let whole = self.in_register(a, part / 2);
        if part.is_multiple_of(2) { whole } else { self.upper_half(whole) }
    }

    /// The upper half of the longest vector.
    fn upper_half(&mut self, whole: VReg) -> VReg {
        let code = match self.machine.longest {
            VectorLength::Z => Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8,
            VectorLength::X | VectorLength::Y => Code::VEX_Vextracti128_xmmm128_ymm_imm8,
        };
        let sources = [vector(whole, self.machine.longest), InstOperand::Imm8(1)];
        self.def(code, VECTOR, RegisterView::Vector(self.machine.half()), &sources)
    }

    /// Lanes of 32 bits made of lanes of 64 by an instruction whose result has half of its length.
    pub(super) fn narrowed(&mut self, code: Code, to: Elem, a: &WideValue) -> WideValue {
        self.narrowed_where(code, to, a, None)
    }

    /// The same; zero where the mask is clear.
    pub(super) fn narrowed_where(&mut self, code: Code, to: Elem, a: &WideValue, set: Option<&WideValue>) -> WideValue {
        if let (Some(set), false) = (set, self.machine.has_masks) {
            let all = self.narrowed_where(code, to, a, None);
            return self.where_set(set, &all);
        }
        let length = a.length();
        let half = VectorLength::of_bytes(length.bytes() / 2);
        let code = at_length(code, length);
        let mut halves: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..a.parts.len() {
            let masking = match set {
                Some(set) => Masking::Zero(self.mask_part(set, a.elem, part)),
                None => Masking::None,
            };
            let from = self.in_register(a, part);
            let view = RegisterView::Vector(half);
            halves.push(self.def_masked(code, VECTOR, view, &[vector(from, length)], masking));
        }
        self.joined(to, a.width, &halves)
    }

    /// Lanes of 32 bits of halves of the longest vector, or of shorter vectors that are whole
    /// already.
    pub(super) fn joined(&mut self, elem: Elem, width: u32, halves: &[VReg]) -> WideValue {
        if halves.len() == self.machine.part_count(elem, width) {
            return WideValue::of(elem, width, halves.iter().copied());
        }
        let (longest, half) = (self.machine.longest, self.machine.half());
        let code = match longest {
            VectorLength::Z => Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8,
            VectorLength::X | VectorLength::Y => Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8,
        };
        let join = |writer: &mut Self, pair: &[VReg]| {
            let sources = [vector(pair[0], longest), vector(pair[1], half), InstOperand::Imm8(1)];
            writer.def(code, VECTOR, RegisterView::Vector(longest), &sources)
        };
        let parts: Vec<VReg> = halves.chunks(2).map(|pair| join(self, pair)).collect();
        WideValue::of(elem, width, parts)
    }

    /// The low 32 bits of integers.
    pub(super) fn low_words(&mut self, a: &WideValue) -> WideValue {
        if !is_wide(a.elem) {
            return a.clone();
        }
        if !self.machine.has_masks {
            return self.even_words(a);
        }
        self.narrowed(Code::EVEX_Vpmovqd_xmmm64_k1z_xmm, Elem::I32, a)
    }

    /// 32-bit integers extended to an integer element.
    pub(super) fn extended(&mut self, a: &WideValue, to: Elem, signed: bool) -> WideValue {
        if !is_wide(to) {
            return a.clone();
        }
        let code = if signed { Code::EVEX_Vpmovsxdq_xmm_k1z_xmmm64 } else { Code::EVEX_Vpmovzxdq_xmm_k1z_xmmm64 };
        self.widened(code, to, a)
    }
}
