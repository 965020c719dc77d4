//! Masks: what makes them, combines them, and selects by them. `comparisons` makes them of lanes.
//!
//! With AVX-512 a part of a mask is a mask register with a bit for each lane of one vector of
//! 32-bit lanes, and **its bits above the last lane are zero**. Two parts of 64-bit lanes share one
//! part of a mask.
//!
//! Without it, a part of a mask is a vector of 32-bit lanes, of which each is all ones or all
//! zeros; instructions on 64-bit lanes take it extended to them ([`CodeWriter::mask_part`]). Lanes
//! of scalars above the first are arbitrary.

use iced_x86::Code;
use regalloc2::{RegClass, VReg};
use smallvec::SmallVec;

use super::vcode::{Condition, INT, MASK, RegisterView, VECTOR, VectorLength};
use super::vectors::{IntOrder, Parts, WideValue, bits_of, is_wide, sized};
use super::writer::{CodeWriter, InstOperand, Masking, at_length, dword, mask, qword, vector};
use crate::lanes::Elem;

/// A word with the lowest bits set.
const fn low_bits(count: u32) -> u64 {
    u64::MAX >> (64 - count)
}

impl CodeWriter {
    /// The register class of masks.
    pub(super) fn mask_class(&self) -> RegClass {
        if self.machine.has_masks { MASK } else { VECTOR }
    }

    // Masks of numbers.

    /// The number of lanes of one part of a mask.
    fn mask_lanes(&self, width: u32) -> u32 {
        self.machine.part_lanes(Elem::I32, width)
    }

    /// A part of a mask of these lanes.
    fn mask_number(&mut self, width: u32, bits: u64) -> VReg {
        if !self.machine.has_masks {
            return self.vector_of_bits(width, bits);
        }
        if bits == 0 {
            return self.def_of_itself(Code::VEX_Kxorw_kr_kr_kr, MASK, RegisterView::Mask);
        }
        if bits == 0xffff {
            return self.def_of_itself(Code::VEX_Kxnorw_kr_kr_kr, MASK, RegisterView::Mask);
        }
        let number = self.number(bits);
        self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[dword(number)])
    }

    fn vector_of_bits(&mut self, width: u32, bits: u64) -> VReg {
        let length = self.machine.part_length(Elem::I32, width);
        if bits == 0 {
            return self.zero();
        }
        if bits == low_bits(length.bytes() / 4) {
            return self.all_ones(length);
        }
        let lane = |lane: u32| if bits >> lane & 1 == 1 { [0xff_u8; 4] } else { [0; 4] };
        let bytes: SmallVec<[u8; 64]> = (0..length.bytes() / 4).flat_map(lane).collect();
        let from = InstOperand::Pool(self.constant(&bytes), false);
        let code = at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length);
        self.def(code, VECTOR, RegisterView::Vector(length), &[from])
    }

    /// Ones in every bit of a vector, of the machine without mask registers.
    pub(super) fn all_ones(&mut self, length: VectorLength) -> VReg {
        let code = at_length(Code::VEX_Vpcmpeqd_xmm_xmm_xmmm128, length);
        self.def_of_itself(code, VECTOR, RegisterView::Vector(length))
    }

    /// A mask of all lanes, or of none.
    pub(super) fn constant_mask(&mut self, width: u32, set: bool) -> WideValue {
        let bits = if set { low_bits(self.mask_lanes(width)) } else { 0 };
        let part = self.mask_number(width, bits);
        let parts = std::iter::repeat_n(part, self.machine.part_count(Elem::I32, width));
        WideValue { constant: Some(set.into()), ..WideValue::of(Elem::Bool, width, parts) }
    }

    /// The mask of the lanes with indices in a bit set.
    pub(super) fn mask_of_bits(&mut self, width: u32, bits: u64) -> WideValue {
        let lanes = self.mask_lanes(width);
        let parts: Vec<VReg> = (0..self.machine.part_count(Elem::I32, width) as u32)
            .map(|part| self.mask_number(width, bits >> (lanes * part) & low_bits(lanes)))
            .collect();
        WideValue::of(Elem::Bool, width, parts)
    }

    /// The mask with the bits of a register, of which those beyond the last lane are zero.
    pub(super) fn mask_from_bits(&mut self, width: u32, bits: VReg) -> WideValue {
        let lanes = self.mask_lanes(width);
        let mut rest = bits;
        let mut parts: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..self.machine.part_count(Elem::I32, width) {
            if part > 0 {
                let by = InstOperand::Imm8(lanes as u8);
                rest = self.def_over(Code::Shr_rm64_imm8, RegisterView::Qword, rest, &[by], None);
            }
            parts.push(self.mask_part_from_bits(width, rest));
        }
        WideValue::of(Elem::Bool, width, parts)
    }

    /// A part of a mask with the lowest bits of a register.
    fn mask_part_from_bits(&mut self, width: u32, bits: VReg) -> VReg {
        if self.machine.has_masks {
            return self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[dword(bits)]);
        }
        let width = self.mask_lanes(width);
        let all = self.repeat_scalar(Elem::I32, width, bits);
        let length = all.length();
        let bytes: SmallVec<[u8; 64]> =
            (0..length.bytes() / 4).flat_map(|lane| (1_u32 << lane).to_le_bytes()).collect();
        let own = InstOperand::Pool(self.constant(&bytes), false);
        let own = WideValue { elem: Elem::I32, width, parts: [own].into_iter().collect(), constant: None };
        let bit = self.and(&all, &own);
        let set = self.compare_ints(IntOrder::Equal, true, &bit, &own);
        self.in_register(&set, 0)
    }

    /// A mask of all lanes if a scalar `bool` is true, otherwise of none.
    pub(super) fn mask_of_truth(&mut self, width: u32, truth: VReg) -> WideValue {
        let mut bits = self.def_over(Code::Neg_rm32, RegisterView::Dword, truth, &[], None);
        if !self.machine.has_masks {
            return self.repeat_scalar(Elem::I32, width, bits).seen_as(Elem::Bool);
        }
        if width < 16 {
            let full = InstOperand::Imm32((1 << width) - 1);
            bits = self.def_over(Code::And_rm32_imm32, RegisterView::Dword, bits, &[full], None);
        }
        let part = self.mask_part_from_bits(width, bits);
        WideValue::of(Elem::Bool, width, std::iter::repeat_n(part, self.machine.part_count(Elem::I32, width)))
    }

    /// The mask of as many lanes as a 64-bit number says, which may be negative or too large.
    pub(super) fn mask_of_count(&mut self, width: u32, count: VReg) -> WideValue {
        let (zero, most) = (self.number(0), self.number(width.into()));
        self.effect(Code::Cmp_r64_rm64, &[qword(count), qword(zero)], None);
        let count = self.def_over(Code::Cmovl_r64_rm64, RegisterView::Qword, count, &[qword(zero)], None);
        self.effect(Code::Cmp_r64_rm64, &[qword(count), qword(most)], None);
        let count = self.def_over(Code::Cmovg_r64_rm64, RegisterView::Qword, count, &[qword(most)], None);
        if !self.machine.has_masks {
            let count = self.repeat_scalar(Elem::I32, width, count);
            let lanes = self.counted_lanes(width, 0, 1);
            return self.compare_ints(IntOrder::Greater, true, &count, &lanes);
        }
        let ones = self.number(u64::MAX);
        let sources = [qword(ones), qword(count)];
        let bits = self.def(Code::VEX_Bzhi_r64_rm64_r64, INT, RegisterView::Qword, &sources);
        self.mask_from_bits(width, bits)
    }

    /// A scalar `bool`, which is 0 or 1, as a mask of width 1.
    pub(super) fn mask_of_scalar(&mut self, truth: VReg) -> VReg {
        if self.machine.has_masks {
            return self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[dword(truth)]);
        }
        let bits = self.def_over(Code::Neg_rm32, RegisterView::Dword, truth, &[], None);
        let x = RegisterView::Vector(VectorLength::X);
        self.def(Code::EVEX_Vmovd_xmm_rm32, VECTOR, x, &[dword(bits)])
    }

    /// The other way round.
    pub(super) fn scalar_of_mask(&mut self, set: VReg) -> VReg {
        if self.machine.has_masks {
            return self.def(Code::VEX_Kmovw_r32_kr, INT, RegisterView::Dword, &[mask(set)]);
        }
        let source = [vector(set, VectorLength::X)];
        let bits = self.def(Code::EVEX_Vmovd_rm32_xmm, INT, RegisterView::Dword, &source);
        self.def_over(Code::And_rm32_imm32, RegisterView::Dword, bits, &[InstOperand::Imm32(1)], None)
    }

    // Questions.

    /// Sets the flags; the condition holds if any lane is set.
    pub(super) fn any(&mut self, set: &WideValue) -> Condition {
        if !self.machine.has_masks {
            let all = self.one_part(set, Self::mask_or);
            let bits = self.part_bits(&all, 0);
            let lanes = InstOperand::Imm32(low_bits(self.mask_lanes(set.width)) as u32);
            self.effect(Code::Test_rm32_imm32, &[dword(bits), lanes], None);
            return Condition::NotEqual;
        }
        let registers = self.registers(set);
        let (&last, others) = registers.split_last().unwrap_or_else(|| unreachable!("a mask has parts"));
        let rest = others
            .iter()
            .copied()
            .reduce(|a, b| self.def(Code::VEX_Korw_kr_kr_kr, MASK, RegisterView::Mask, &[mask(a), mask(b)]));
        self.effect(Code::VEX_Kortestw_kr_kr, &[mask(rest.unwrap_or(last)), mask(last)], None);
        Condition::NotEqual
    }

    /// Sets the flags; the condition holds if all lanes are set.
    pub(super) fn all(&mut self, set: &WideValue) -> Condition {
        let both = self.one_part(set, Self::mask_and);
        let register = self.in_register(&both, 0);
        match set.width {
            // The carry says that all bits are ones.
            8 if self.machine.has_masks => {
                self.effect(Code::VEX_Kortestb_kr_kr, &[mask(register), mask(register)], None);
                Condition::Below
            }
            16.. if self.machine.has_masks => {
                self.effect(Code::VEX_Kortestw_kr_kr, &[mask(register), mask(register)], None);
                Condition::Below
            }
            width => {
                let bits = self.part_bits(&both, 0);
                let full = InstOperand::Imm32(low_bits(self.mask_lanes(width)) as u32);
                self.effect(Code::Cmp_rm32_imm32, &[dword(bits), full], None);
                Condition::Equal
            }
        }
    }

    /// All parts of a mask as one.
    fn one_part(
        &mut self,
        set: &WideValue,
        join: impl Fn(&mut Self, &WideValue, &WideValue) -> WideValue,
    ) -> WideValue {
        let width = self.mask_lanes(set.width);
        let part = |&part: &InstOperand| WideValue {
            elem: Elem::Bool,
            width,
            parts: std::iter::once(part).collect(),
            constant: None,
        };
        let parts: SmallVec<[WideValue; 4]> = set.parts.iter().map(part).collect();
        let joined = parts.into_iter().reduce(|a, b| join(self, &a, &b));
        joined.unwrap_or_else(|| unreachable!("a mask has parts"))
    }

    /// The bits of one part of a mask, in 32 bits.
    fn part_bits(&mut self, set: &WideValue, part: usize) -> VReg {
        let register = self.in_register(set, part);
        if self.machine.has_masks {
            return self.def(Code::VEX_Kmovw_r32_kr, INT, RegisterView::Dword, &[mask(register)]);
        }
        let (code, length) = match set.length() {
            VectorLength::X => (Code::VEX_Vmovmskps_r32_xmm, VectorLength::X),
            VectorLength::Y | VectorLength::Z => (Code::VEX_Vmovmskps_r32_ymm, VectorLength::Y),
        };
        self.def(code, INT, RegisterView::Dword, &[vector(register, length)])
    }

    /// A bit for each lane, lane 0 the lowest, in 64 bits.
    pub(super) fn mask_bits(&mut self, set: &WideValue) -> VReg {
        let lanes = self.mask_lanes(set.width);
        let mut all = None;
        for part in 0..set.parts.len() {
            let mut bits = self.part_bits(set, part);
            if !self.machine.has_masks && lanes < 4 {
                let own = InstOperand::Imm32(low_bits(lanes) as u32);
                bits = self.def_over(Code::And_rm32_imm32, RegisterView::Dword, bits, &[own], None);
            }
            if part > 0 {
                let by = InstOperand::Imm8((lanes * part as u32) as u8);
                bits = self.def_over(Code::Shl_rm64_imm8, RegisterView::Qword, bits, &[by], None);
            }
            all = Some(match all {
                Some(before) => self.def_over(Code::Or_r64_rm64, RegisterView::Qword, before, &[qword(bits)], None),
                None => bits,
            });
        }
        all.unwrap_or_else(|| unreachable!("a mask has parts"))
    }

    // Masks and lanes of 64 bits.

    /// The part of a mask for a part of lanes of an element.
    pub(super) fn mask_part(&mut self, set: &WideValue, elem: Elem, part: usize) -> VReg {
        if !is_wide(elem) {
            return self.in_register(set, part);
        }
        if !self.machine.has_masks {
            let half = self.half_of_mask(set, part);
            let length = self.machine.part_length(elem, set.width);
            let code = at_length(Code::EVEX_Vpmovsxdq_xmm_k1z_xmmm64, length);
            return self.def(code, VECTOR, RegisterView::Vector(length), &[vector(half, VectorLength::X)]);
        }
        if set.width <= 8 {
            return self.in_register(set, part);
        }
        let whole = self.in_register(set, part / 2);
        if part.is_multiple_of(2) {
            return whole;
        }
        self.def(Code::VEX_Kshiftrw_kr_kr_imm8, MASK, RegisterView::Mask, &[mask(whole), InstOperand::Imm8(8)])
    }

    /// The part of a mask for four lanes or fewer, as 32-bit lanes: without mask registers.
    pub(super) fn half_of_mask(&mut self, set: &WideValue, part: usize) -> VReg {
        match set.length() {
            VectorLength::X => self.in_register(set, part),
            VectorLength::Y | VectorLength::Z => self.half(&set.seen_as(Elem::I32), part),
        }
    }

    /// A mask of the conditions on parts of lanes of an element.
    pub(super) fn mask_of_parts(&mut self, elem: Elem, width: u32, conditions: &[VReg]) -> WideValue {
        if !self.machine.has_masks {
            let conditions = WideValue::of(elem, width, conditions.iter().copied());
            let words = if is_wide(elem) { self.low_words(&conditions.seen_as(Elem::I64)) } else { conditions };
            return words.seen_as(Elem::Bool);
        }
        if !is_wide(elem) || width <= 8 {
            return WideValue::of(Elem::Bool, width, conditions.iter().copied());
        }
        let joined = |writer: &mut Self, pair: &[VReg]| {
            let both = [mask(pair[1]), mask(pair[0])];
            writer.def(Code::VEX_Kunpckbw_kr_kr_kr, MASK, RegisterView::Mask, &both)
        };
        let parts: Vec<VReg> = conditions.chunks(2).map(|pair| joined(self, pair)).collect();
        WideValue::of(Elem::Bool, width, parts)
    }

    /// The mask of conditions on each part; vectors longer than the width have lanes to clear.
    pub(super) fn conditions(&mut self, of: &WideValue, conditions: &[VReg]) -> WideValue {
        let found = self.mask_of_parts(of.elem, of.width, conditions);
        let lanes = of.length().bytes() * 8 / bits_of(of.elem);
        if lanes <= of.width || !self.machine.has_masks {
            return found;
        }
        let all = self.constant_mask(of.width, true);
        self.mask_and(&found, &all)
    }

    // Operations on masks.

    fn mask_binary(&mut self, mask_code: Code, vector_code: Code, a: &WideValue, b: &WideValue) -> WideValue {
        if !self.machine.has_masks {
            return self.binary(vector_code, &a.seen_as(Elem::I32), &b.seen_as(Elem::I32)).seen_as(Elem::Bool);
        }
        let parts: Vec<VReg> = a
            .parts
            .iter()
            .zip(&b.parts)
            .map(|(&a, &b)| self.def(mask_code, MASK, RegisterView::Mask, &[a, b]))
            .collect();
        WideValue::of(Elem::Bool, a.width, parts)
    }

    /// Both masks.
    pub(super) fn mask_and(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Kandw_kr_kr_kr, Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, a, b)
    }

    /// Either mask.
    pub(super) fn mask_or(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Korw_kr_kr_kr, Code::EVEX_Vpord_xmm_k1z_xmm_xmmm128b32, a, b)
    }

    /// Exactly one of the masks.
    pub(super) fn mask_xor(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Kxorw_kr_kr_kr, Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, a, b)
    }

    /// `a` without `b`.
    pub(super) fn mask_without(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Kandnw_kr_kr_kr, Code::EVEX_Vpandnd_xmm_k1z_xmm_xmmm128b32, b, a)
    }

    /// The lanes that are not set.
    pub(super) fn mask_not(&mut self, a: &WideValue) -> WideValue {
        if a.width >= 16 && self.machine.has_masks {
            let parts: Vec<VReg> = a
                .parts
                .iter()
                .map(|&part| self.def(Code::VEX_Knotw_kr_kr, MASK, RegisterView::Mask, &[part]))
                .collect();
            return WideValue::of(Elem::Bool, a.width, parts);
        }
        // Bits above the last lane stay zero.
        let all = self.constant_mask(a.width, true);
        self.mask_xor(a, &all)
    }

    // Selection.

    /// `yes` where a mask is set, otherwise `no`.
    pub(super) fn select(&mut self, set: &WideValue, yes: &WideValue, no: &WideValue) -> WideValue {
        if yes.elem == Elem::Bool {
            let (yes, no) = (self.mask_and(yes, set), self.mask_without(no, set));
            return self.mask_or(&yes, &no);
        }
        if no.constant == Some(0) {
            return self.where_set(set, yes);
        }
        let length = yes.length();
        let view = RegisterView::Vector(length);
        let mut parts = Parts::new();
        for part in 0..yes.parts.len() {
            let set = self.mask_part(set, yes.elem, part);
            let no = self.in_register(no, part);
            let sources = [vector(no, length), yes.parts[part]];
            let result = if self.machine.has_masks {
                let code = sized(
                    yes.elem,
                    Code::EVEX_Vblendmps_xmm_k1z_xmm_xmmm128b32,
                    Code::EVEX_Vblendmpd_xmm_k1z_xmm_xmmm128b64,
                );
                self.def_blend(at_length(code, length), view, &sources, set)
            } else {
                let code =
                    sized(yes.elem, Code::VEX_Vblendvps_xmm_xmm_xmmm128_xmm, Code::VEX_Vblendvpd_xmm_xmm_xmmm128_xmm);
                let sources = [sources[0], sources[1], vector(set, length)];
                self.def(at_length(code, length), VECTOR, view, &sources)
            };
            parts.push(vector(result, length));
        }
        WideValue { elem: yes.elem, width: yes.width, parts, constant: None }
    }

    /// `a` where a mask is set, otherwise zero.
    pub(super) fn where_set(&mut self, set: &WideValue, a: &WideValue) -> WideValue {
        let length = a.length();
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            let set = self.mask_part(set, a.elem, part);
            let view = RegisterView::Vector(length);
            if !self.machine.has_masks {
                let code = at_length(Code::EVEX_Vpandd_xmm_k1z_xmm_xmmm128b32, length);
                let result = self.def(code, VECTOR, view, &[vector(set, length), a.parts[part]]);
                parts.push(vector(result, length));
                continue;
            }
            let (code, from) = match a.parts[part] {
                InstOperand::Pool(offset, true) => (self.repeat_code(a.elem, length), InstOperand::Pool(offset, false)),
                InstOperand::Mem(memory) if memory.broadcast => (
                    self.repeat_code(a.elem, length),
                    InstOperand::Mem(super::writer::MemoryOperand { broadcast: false, ..memory }),
                ),
                other => {
                    let code = sized(a.elem, Code::EVEX_Vmovups_xmm_k1z_xmmm128, Code::EVEX_Vmovupd_xmm_k1z_xmmm128);
                    (at_length(code, length), other)
                }
            };
            let result = self.def_masked(code, VECTOR, view, &[from], Masking::Zero(set));
            parts.push(vector(result, length));
        }
        WideValue { elem: a.elem, width: a.width, parts, constant: None }
    }

    /// 1 where a mask is set, otherwise 0, as an integer.
    pub(super) fn number_of(&mut self, set: &WideValue, elem: Elem) -> WideValue {
        let one = self.bits_as(elem, set.width, 1);
        self.where_set(set, &one)
    }

    /// A mask as 32-bit lanes, all ones where it is set; lanes as they are.
    pub(super) fn mask_as_words(&mut self, lanes: &WideValue) -> WideValue {
        if lanes.elem != Elem::Bool {
            return lanes.clone();
        }
        if !self.machine.has_masks {
            return lanes.seen_as(Elem::I32);
        }
        let length = lanes.length();
        let code = at_length(Code::EVEX_Vpmovm2d_xmm_kr, length);
        let registers: Vec<VReg> =
            lanes.parts.iter().map(|&part| self.def(code, VECTOR, RegisterView::Vector(length), &[part])).collect();
        WideValue::of(Elem::I32, lanes.width, registers)
    }

    /// A part of a mask of 32-bit lanes that are all ones or all zeros.
    pub(super) fn mask_of_words(&mut self, words: VReg, length: VectorLength) -> VReg {
        if !self.machine.has_masks {
            return words;
        }
        let code = at_length(Code::EVEX_Vpmovd2m_kr_xmm, length);
        self.def(code, MASK, RegisterView::Mask, &[vector(words, length)])
    }
}
