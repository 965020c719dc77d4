//! Masks of comparisons, of classes of floats, and of signs.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::vcode::{MASK, RegisterView};
use super::vectors::{FloatOrder, IntOrder, WideValue, bits_of, integer_of, is_wide, sized, top};
use super::writer::{CodeWriter, InstOperand, at_length, vector};

impl CodeWriter {
    /// Compares integers.
    pub(super) fn compare_ints(&mut self, order: IntOrder, signed: bool, a: &WideValue, b: &WideValue) -> WideValue {
        if !self.machine.has_masks {
            return self.compare_ints_by_vectors(order, signed, a, b);
        }
        let code = match (is_wide(a.elem), signed) {
            (false, true) => Code::EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8,
            (false, false) => Code::EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8,
            (true, true) => Code::EVEX_Vpcmpq_kr_k1_xmm_xmmm128b64_imm8,
            (true, false) => Code::EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8,
        };
        self.compare(code, a, b, Some(order as u8))
    }

    /// By the comparisons that there are: equal, and signed greater.
    fn compare_ints_by_vectors(&mut self, order: IntOrder, signed: bool, a: &WideValue, b: &WideValue) -> WideValue {
        let equal = sized(a.elem, Code::VEX_Vpcmpeqd_xmm_xmm_xmmm128, Code::VEX_Vpcmpeqq_xmm_xmm_xmmm128);
        let greater = sized(a.elem, Code::VEX_Vpcmpgtd_xmm_xmm_xmmm128, Code::VEX_Vpcmpgtq_xmm_xmm_xmmm128);
        let inverted = matches!(order, IntOrder::NotEqual | IntOrder::LessEqual | IntOrder::GreaterEqual);
        let found = match order {
            IntOrder::Equal | IntOrder::NotEqual => self.commutative(equal, a, b),
            // Unsigned: with the top bit inverted, or by the maximum where there is one.
            IntOrder::Less | IntOrder::GreaterEqual if !signed && !is_wide(a.elem) => {
                let more = self.extreme(a, b, false, true);
                let reaches = self.binary(equal, &more, a);
                return self.mask_of_vectors(reaches, order == IntOrder::Less);
            }
            IntOrder::Greater | IntOrder::LessEqual if !signed && !is_wide(a.elem) => {
                let less = self.extreme(a, b, false, false);
                let stays = self.binary(equal, &less, a);
                return self.mask_of_vectors(stays, order == IntOrder::Greater);
            }
            IntOrder::Less | IntOrder::GreaterEqual => {
                let [a, b] = [a, b].map(|value| self.as_signed(value, signed));
                self.binary(greater, &b, &a)
            }
            IntOrder::Greater | IntOrder::LessEqual => {
                let [a, b] = [a, b].map(|value| self.as_signed(value, signed));
                self.binary(greater, &a, &b)
            }
        };
        self.mask_of_vectors(found, inverted)
    }

    /// An integer whose order as a signed number is that of the original.
    fn as_signed(&mut self, a: &WideValue, signed: bool) -> WideValue {
        if signed {
            return a.clone();
        }
        match a.constant {
            Some(bits) => self.bits(a, bits ^ top(a.elem)),
            None => {
                let sign = self.bits(a, top(a.elem));
                self.xor(a, &sign)
            }
        }
    }

    /// The mask of lanes that are all ones or all zeros, or its inverse.
    fn mask_of_vectors(&mut self, lanes: WideValue, inverted: bool) -> WideValue {
        let registers = self.registers(&lanes);
        let found = self.mask_of_parts(lanes.elem, lanes.width, &registers);
        if inverted { self.mask_not(&found) } else { found }
    }

    /// Compares floats.
    pub(super) fn compare_floats(&mut self, order: FloatOrder, a: &WideValue, b: &WideValue) -> WideValue {
        let code =
            sized(a.elem, Code::EVEX_Vcmpps_kr_k1_xmm_xmmm128b32_imm8, Code::EVEX_Vcmppd_kr_k1_xmm_xmmm128b64_imm8);
        self.compare(code, a, b, Some(order as u8))
    }

    /// An instruction that compares lanes, in an order if it has one.
    pub(super) fn compare(&mut self, code: Code, a: &WideValue, b: &WideValue, order: Option<u8>) -> WideValue {
        let (length, class) = (a.length(), self.mask_class());
        let view = if class == MASK { RegisterView::Mask } else { RegisterView::Vector(length) };
        let mut conditions: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..a.parts.len() {
            let first = self.in_register(a, part);
            let sources: SmallVec<[InstOperand; 3]> =
                [vector(first, length), b.parts[part]].into_iter().chain(order.map(InstOperand::Imm8)).collect();
            conditions.push(self.def(at_length(code, length), class, view, &sources));
        }
        self.conditions(a, &conditions)
    }

    /// Which lanes have a property of the classes of floats: bits 0 to 7 are quiet NaN, +0, -0,
    /// +infinity, -infinity, denormal, negative, signalling NaN.
    pub(super) fn class_of(&mut self, a: &WideValue, classes: u8) -> WideValue {
        if !self.machine.has_masks {
            return self.class_by_bits(a, classes);
        }
        let code =
            sized(a.elem, Code::EVEX_Vfpclassps_kr_k1_xmmm128b32_imm8, Code::EVEX_Vfpclasspd_kr_k1_xmmm128b64_imm8);
        let length = a.length();
        let conditions: SmallVec<[VReg; 8]> = (0..a.parts.len())
            .map(|part| {
                let first = self.in_register(a, part);
                let sources = [vector(first, length), InstOperand::Imm8(classes)];
                self.def(at_length(code, length), MASK, RegisterView::Mask, &sources)
            })
            .collect();
        self.conditions(a, &conditions)
    }

    /// The mask of the lanes with the top bit set.
    pub(super) fn negative(&mut self, a: &WideValue) -> WideValue {
        if !self.machine.has_masks {
            // Of 64-bit lanes the upper words, which are narrowed to a mask.
            let signs = self.down_signed(&a.seen_as(integer_of(a.elem)), bits_of(a.elem) - 1);
            return self.mask_of_vectors(signs, false);
        }
        let code = sized(a.elem, Code::EVEX_Vpmovd2m_kr_xmm, Code::EVEX_Vpmovq2m_kr_xmm);
        let length = a.length();
        let conditions: SmallVec<[VReg; 8]> = (0..a.parts.len())
            .map(|part| {
                let first = self.in_register(a, part);
                self.def(at_length(code, length), MASK, RegisterView::Mask, &[vector(first, length)])
            })
            .collect();
        self.conditions(a, &conditions)
    }
}
