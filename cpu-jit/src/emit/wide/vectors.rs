//! Values as registers, and instructions applied to all of their parts.
//!
//! A [`WideValue`] is lanes in vector registers, or a mask in mask registers. Each part of lanes is
//! as long as the program's width needs, at most the longest vector; a part of a mask has the bits
//! of one vector of 32-bit lanes, and **its bits above the last lane are zero**. Lanes of 64 bits
//! have twice the parts of 32-bit lanes once those fill a vector, so that two of their parts share
//! one part of a mask.
//!
//! A scalar takes part in the same recipes as lanes of width 1: in the lowest lane of a 128-bit
//! vector, whose other lanes are ignored.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::vcode::{MASK, RegisterView, VECTOR, VectorLength};
use super::writer::{CodeWriter, InstOperand, Masking, at_length, mask, vector};
use crate::lanes::Elem;

/// The parts of a value.
pub(super) type Parts = SmallVec<[InstOperand; 4]>;

/// Lanes or a mask, in registers or as operands that an instruction reads from memory.
#[derive(Clone, Debug)]
pub(super) struct WideValue {
    /// The element; of masks [`Elem::Bool`].
    pub(super) elem: Elem,
    /// The number of lanes.
    pub(super) width: u32,
    /// The parts, lowest lanes first.
    pub(super) parts: Parts,
    /// The bits of the constant in every lane, if known.
    pub(super) constant: Option<u64>,
}

/// Integer comparisons, by the number that instructions encode.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum IntOrder {
    Equal = 0,
    Less = 1,
    LessEqual = 2,
    NotEqual = 4,
    GreaterEqual = 5,
    Greater = 6,
}

/// Float comparisons, by the number that instructions encode: none of them signals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum FloatOrder {
    Equal = 0x00,
    Less = 0x11,
    LessEqual = 0x12,
    Unordered = 0x03,
    NotEqual = 0x04,
    Ordered = 0x07,
    GreaterEqual = 0x1d,
    Greater = 0x1e,
}

/// Is it 64 bits?
pub(super) const fn is_wide(elem: Elem) -> bool {
    matches!(elem, Elem::I64 | Elem::F64)
}

/// Is it a float?
pub(super) const fn is_float(elem: Elem) -> bool {
    matches!(elem, Elem::F32 | Elem::F64)
}

/// The integer element as wide as an element.
pub(super) const fn integer_of(elem: Elem) -> Elem {
    if is_wide(elem) { Elem::I64 } else { Elem::I32 }
}

/// The width of an element in bits.
pub(super) const fn bits_of(elem: Elem) -> u32 {
    if is_wide(elem) { 64 } else { 32 }
}

/// All bits of an element.
pub(super) const fn ones(elem: Elem) -> u64 {
    u64::MAX >> (64 - bits_of(elem))
}

/// The top bit of an element.
pub(super) const fn top(elem: Elem) -> u64 {
    1 << (bits_of(elem) - 1)
}

/// The bits of a number in a float format.
pub(super) fn float_bits(elem: Elem, number: f64) -> u64 {
    if is_wide(elem) { number.to_bits() } else { (number as f32).to_bits().into() }
}

/// One of two instructions, for 32-bit or 64-bit elements.
pub(super) const fn sized(elem: Elem, dword: Code, qword: Code) -> Code {
    if is_wide(elem) { qword } else { dword }
}

impl WideValue {
    /// Lanes, or a mask, of these registers.
    pub(super) fn of(elem: Elem, width: u32, registers: impl IntoIterator<Item = VReg>) -> WideValue {
        let length = part_length(elem, width);
        let view = |register| if elem == Elem::Bool { mask(register) } else { vector(register, length) };
        WideValue { elem, width, parts: registers.into_iter().map(view).collect(), constant: None }
    }

    /// The length of its vectors; of a mask, of the vectors of 32-bit lanes that it belongs to.
    pub(super) fn length(&self) -> VectorLength {
        part_length(self.elem, self.width)
    }

    /// The same bits as another element of that width.
    pub(super) fn seen_as(&self, elem: Elem) -> WideValue {
        WideValue { elem, ..self.clone() }
    }
}

/// The length of one part of lanes.
pub(super) fn part_length(elem: Elem, width: u32) -> VectorLength {
    VectorLength::of_bytes(width * if is_wide(elem) { 8 } else { 4 })
}

/// The number of parts of lanes, with 512-bit vectors.
pub(super) fn part_count(elem: Elem, width: u32) -> usize {
    (width * if is_wide(elem) { 8 } else { 4 }).div_ceil(64) as usize
}

/// The lanes of one part.
pub(super) fn part_lanes(elem: Elem, width: u32) -> u32 {
    width.min(if is_wide(elem) { 8 } else { 16 })
}

impl CodeWriter {
    /// A part in a register.
    pub(super) fn in_register(&mut self, value: &WideValue, part: usize) -> VReg {
        let length = value.length();
        let view = RegisterView::Vector(length);
        match value.parts[part] {
            InstOperand::Reg(register, _) => register,
            InstOperand::Mem(memory) if memory.broadcast => {
                let from = InstOperand::Mem(super::writer::MemoryOperand { broadcast: false, ..memory });
                self.def(self.repeat_code(value.elem, length), VECTOR, view, &[from])
            }
            InstOperand::Pool(_, _) if value.constant == Some(0) => self.zero(),
            InstOperand::Pool(offset, true) => {
                let code = self.repeat_code(value.elem, length);
                self.def(code, VECTOR, view, &[InstOperand::Pool(offset, false)])
            }
            other => self.def(at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length), VECTOR, view, &[other]),
        }
    }

    /// The instruction that repeats one element in each lane, from memory or a vector.
    fn repeat_code(&self, elem: Elem, length: VectorLength) -> Code {
        if !is_wide(elem) {
            return at_length(Code::EVEX_Vbroadcastss_xmm_k1z_xmmm32, length);
        }
        match length {
            // There is none at 128 bits.
            VectorLength::X => Code::EVEX_Vmovddup_xmm_k1z_xmmm64,
            VectorLength::Y => Code::EVEX_Vbroadcastsd_ymm_k1z_xmmm64,
            VectorLength::Z => Code::EVEX_Vbroadcastsd_zmm_k1z_xmmm64,
        }
    }

    /// The lowest lane of a register in every lane.
    pub(super) fn repeat(&mut self, elem: Elem, width: u32, register: VReg) -> WideValue {
        let length = part_length(elem, width);
        let code = self.repeat_code(elem, length);
        let all = self.def(code, VECTOR, RegisterView::Vector(length), &[vector(register, VectorLength::X)]);
        WideValue::of(elem, width, std::iter::repeat_n(all, part_count(elem, width)))
    }

    /// All parts in registers.
    pub(super) fn registers(&mut self, value: &WideValue) -> SmallVec<[VReg; 4]> {
        (0..value.parts.len()).map(|part| self.in_register(value, part)).collect()
    }

    /// A value whose parts are all in registers, for recipes that read an operand more than once.
    pub(super) fn loaded(&mut self, value: &WideValue) -> WideValue {
        let in_registers = value.parts.iter().all(|part| matches!(part, InstOperand::Reg(..)));
        if in_registers || value.constant.is_some() {
            return value.clone();
        }
        let registers = self.registers(value);
        WideValue { constant: value.constant, ..WideValue::of(value.elem, value.width, registers) }
    }

    /// Zero in every lane of a vector.
    pub(super) fn zero(&mut self) -> VReg {
        self.def_of_itself(Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, VECTOR, RegisterView::Vector(VectorLength::X))
    }

    /// A constant in every lane; read from memory by the instructions that use it.
    pub(super) fn bits_as(&mut self, elem: Elem, width: u32, bits: u64) -> WideValue {
        let bits = bits & ones(elem);
        let bytes = bits.to_le_bytes();
        let offset = self.constant(&bytes[..if is_wide(elem) { 8 } else { 4 }]);
        let part = InstOperand::Pool(offset, true);
        let parts = std::iter::repeat_n(part, part_count(elem, width)).collect();
        WideValue { elem, width, parts, constant: Some(bits) }
    }

    /// A constant of the same type.
    pub(super) fn bits(&mut self, like: &WideValue, bits: u64) -> WideValue {
        self.bits_as(like.elem, like.width, bits)
    }

    /// A constant of the same float type.
    pub(super) fn float(&mut self, like: &WideValue, number: f64) -> WideValue {
        self.bits(like, float_bits(like.elem, number))
    }

    // Instructions on all parts.

    /// An instruction with one operand, and an immediate.
    pub(super) fn unary(&mut self, code: Code, to: Elem, a: &WideValue, immediate: Option<u8>) -> WideValue {
        let length = part_length(to, a.width);
        let code = at_length(code, length);
        let mut parts = Parts::new();
        for &part in &a.parts {
            let sources: SmallVec<[InstOperand; 2]> =
                std::iter::once(part).chain(immediate.map(InstOperand::Imm8)).collect();
            let result = self.def(code, VECTOR, RegisterView::Vector(length), &sources);
            parts.push(vector(result, length));
        }
        WideValue { elem: to, width: a.width, parts, constant: None }
    }

    /// An instruction with two operands.
    pub(super) fn binary(&mut self, code: Code, a: &WideValue, b: &WideValue) -> WideValue {
        let length = a.length();
        let code = at_length(code, length);
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            let first = self.in_register(a, part);
            let sources = [vector(first, length), b.parts[part]];
            let result = self.def(code, VECTOR, RegisterView::Vector(length), &sources);
            parts.push(vector(result, length));
        }
        WideValue { elem: a.elem, width: a.width, parts, constant: None }
    }

    /// An instruction whose operands may change places.
    pub(super) fn commutative(&mut self, code: Code, a: &WideValue, b: &WideValue) -> WideValue {
        let is_register = |value: &WideValue| matches!(value.parts[0], InstOperand::Reg(..));
        if is_register(b) && !is_register(a) { self.binary(code, b, a) } else { self.binary(code, a, b) }
    }

    /// An instruction with two operands where a mask is set; `before` elsewhere.
    pub(super) fn binary_where(
        &mut self,
        code: Code,
        set: &WideValue,
        a: &WideValue,
        b: &WideValue,
        before: &WideValue,
    ) -> WideValue {
        let length = a.length();
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            let set = self.mask_part(set, a.elem, part);
            let (first, before) = (self.in_register(a, part), self.in_register(before, part));
            let view = RegisterView::Vector(length);
            let sources = [vector(first, length), b.parts[part]];
            let result = self.def_over(at_length(code, length), view, before, &sources, Some(set));
            parts.push(vector(result, length));
        }
        WideValue { elem: a.elem, width: a.width, parts, constant: None }
    }

    /// A fused multiplication and addition: `a * b + c`, by an instruction that overwrites `a` (of
    /// which `b` and `c` are the sources) or `c`.
    pub(super) fn fused(&mut self, a: &WideValue, b: &WideValue, c: &WideValue, over_c: bool) -> WideValue {
        let length = a.length();
        let wide = is_wide(a.elem);
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            let view = RegisterView::Vector(length);
            let result = if over_c {
                let code = if wide {
                    Code::EVEX_Vfmadd231pd_xmm_k1z_xmm_xmmm128b64
                } else {
                    Code::EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32
                };
                let (first, sum) = (self.in_register(a, part), self.in_register(c, part));
                self.def_over(at_length(code, length), view, sum, &[vector(first, length), b.parts[part]], None)
            } else {
                let code = if wide {
                    Code::EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64
                } else {
                    Code::EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32
                };
                let (first, second) = (self.in_register(a, part), self.in_register(b, part));
                self.def_over(at_length(code, length), view, first, &[vector(second, length), c.parts[part]], None)
            };
            parts.push(vector(result, length));
        }
        WideValue { elem: a.elem, width: a.width, parts, constant: None }
    }

    // Masks.

    /// The word that a mask part has when all lanes are set.
    fn full_part(width: u32) -> u64 {
        (1 << width.min(16)) - 1
    }

    /// A constant mask part.
    fn mask_number(&mut self, bits: u64) -> VReg {
        if bits == 0 {
            return self.def_of_itself(Code::VEX_Kxorw_kr_kr_kr, MASK, RegisterView::Mask);
        }
        if bits == 0xffff {
            return self.def_of_itself(Code::VEX_Kxnorw_kr_kr_kr, MASK, RegisterView::Mask);
        }
        let number = self.number(bits);
        self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[super::writer::dword(number)])
    }

    /// A mask of all lanes, or of none.
    pub(super) fn constant_mask(&mut self, width: u32, set: bool) -> WideValue {
        let bits = if set { Self::full_part(width) } else { 0 };
        let part = self.mask_number(bits);
        let parts = std::iter::repeat_n(part, part_count(Elem::I32, width));
        WideValue { constant: Some(set.into()), ..WideValue::of(Elem::Bool, width, parts) }
    }

    /// The mask of the lanes with indices in a bit set.
    pub(super) fn mask_of_bits(&mut self, width: u32, bits: u64) -> WideValue {
        let parts: Vec<VReg> = (0..part_count(Elem::I32, width))
            .map(|part| self.mask_number(bits >> (16 * part) & Self::full_part(width)))
            .collect();
        WideValue::of(Elem::Bool, width, parts)
    }

    /// The part of a mask for a part of lanes of an element.
    pub(super) fn mask_part(&mut self, set: &WideValue, elem: Elem, part: usize) -> VReg {
        if !is_wide(elem) || set.width <= 8 {
            return self.in_register(set, part);
        }
        let whole = self.in_register(set, part / 2);
        if part.is_multiple_of(2) {
            return whole;
        }
        self.def(Code::VEX_Kshiftrw_kr_kr_imm8, MASK, RegisterView::Mask, &[mask(whole), InstOperand::Imm8(8)])
    }

    /// A mask of the conditions on parts of lanes of an element.
    pub(super) fn mask_of_parts(&mut self, elem: Elem, width: u32, conditions: &[VReg]) -> WideValue {
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

    /// An operation on masks.
    fn mask_binary(&mut self, code: Code, a: &WideValue, b: &WideValue) -> WideValue {
        let parts: Vec<VReg> =
            a.parts.iter().zip(&b.parts).map(|(&a, &b)| self.def(code, MASK, RegisterView::Mask, &[a, b])).collect();
        WideValue::of(Elem::Bool, a.width, parts)
    }

    /// Both masks.
    pub(super) fn mask_and(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Kandw_kr_kr_kr, a, b)
    }

    /// Either mask.
    pub(super) fn mask_or(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Korw_kr_kr_kr, a, b)
    }

    /// Exactly one of the masks.
    pub(super) fn mask_xor(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Kxorw_kr_kr_kr, a, b)
    }

    /// `a` without `b`.
    pub(super) fn mask_without(&mut self, a: &WideValue, b: &WideValue) -> WideValue {
        self.mask_binary(Code::VEX_Kandnw_kr_kr_kr, b, a)
    }

    /// The lanes that are not set.
    pub(super) fn mask_not(&mut self, a: &WideValue) -> WideValue {
        if a.width >= 16 {
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

    /// Compares integers.
    pub(super) fn compare_ints(&mut self, order: IntOrder, signed: bool, a: &WideValue, b: &WideValue) -> WideValue {
        let code = match (is_wide(a.elem), signed) {
            (false, true) => Code::EVEX_Vpcmpd_kr_k1_xmm_xmmm128b32_imm8,
            (false, false) => Code::EVEX_Vpcmpud_kr_k1_xmm_xmmm128b32_imm8,
            (true, true) => Code::EVEX_Vpcmpq_kr_k1_xmm_xmmm128b64_imm8,
            (true, false) => Code::EVEX_Vpcmpuq_kr_k1_xmm_xmmm128b64_imm8,
        };
        self.compare(code, a, b, order as u8)
    }

    /// Compares floats.
    pub(super) fn compare_floats(&mut self, order: FloatOrder, a: &WideValue, b: &WideValue) -> WideValue {
        let code =
            sized(a.elem, Code::EVEX_Vcmpps_kr_k1_xmm_xmmm128b32_imm8, Code::EVEX_Vcmppd_kr_k1_xmm_xmmm128b64_imm8);
        self.compare(code, a, b, order as u8)
    }

    fn compare(&mut self, code: Code, a: &WideValue, b: &WideValue, order: u8) -> WideValue {
        let length = a.length();
        let mut conditions: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..a.parts.len() {
            let first = self.in_register(a, part);
            let sources = [vector(first, length), b.parts[part], InstOperand::Imm8(order)];
            let condition = self.def(at_length(code, length), MASK, RegisterView::Mask, &sources);
            conditions.push(condition);
        }
        self.conditions(a, &conditions)
    }

    /// The mask of conditions on each part; vectors longer than the width have lanes to clear.
    fn conditions(&mut self, of: &WideValue, conditions: &[VReg]) -> WideValue {
        let found = self.mask_of_parts(of.elem, of.width, conditions);
        let lanes = of.length().bytes() * 8 / bits_of(of.elem);
        if lanes <= of.width {
            return found;
        }
        let all = self.constant_mask(of.width, true);
        self.mask_and(&found, &all)
    }

    /// Which lanes have a property of the classes of floats: bits 0 to 7 are quiet NaN, +0, -0,
    /// +infinity, -infinity, denormal, negative, signalling NaN.
    pub(super) fn class_of(&mut self, a: &WideValue, classes: u8) -> WideValue {
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

    /// `yes` where a mask is set, otherwise `no`.
    pub(super) fn select(&mut self, set: &WideValue, yes: &WideValue, no: &WideValue) -> WideValue {
        if yes.elem == Elem::Bool {
            let (yes, no) = (self.mask_and(yes, set), self.mask_without(no, set));
            return self.mask_or(&yes, &no);
        }
        if no.constant == Some(0) {
            return self.where_set(set, yes);
        }
        let code =
            sized(yes.elem, Code::EVEX_Vblendmps_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vblendmpd_xmm_k1z_xmm_xmmm128b64);
        let length = yes.length();
        let mut parts = Parts::new();
        for part in 0..yes.parts.len() {
            let set = self.mask_part(set, yes.elem, part);
            let no = self.in_register(no, part);
            let sources = [vector(no, length), yes.parts[part]];
            let result = self.def_blend(at_length(code, length), RegisterView::Vector(length), &sources, set);
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
            let view = RegisterView::Vector(length);
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

    // Arithmetic that many recipes use.

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
        let code = sized(a.elem, Code::EVEX_Vpmulld_xmm_k1z_xmm_xmmm128b32, Code::EVEX_Vpmullq_xmm_k1z_xmm_xmmm128b64);
        self.commutative(code, a, b)
    }

    /// The minimum or maximum of integers.
    pub(super) fn extreme(&mut self, a: &WideValue, b: &WideValue, signed: bool, larger: bool) -> WideValue {
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

    // Changes of width.

    /// Lanes of 64 bits made of lanes of 32 by an instruction that reads half of its own length.
    pub(super) fn widened(&mut self, code: Code, to: Elem, a: &WideValue) -> WideValue {
        let length = part_length(to, a.width);
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            let halves: SmallVec<[InstOperand; 2]> = if a.width >= 16 {
                self.halves(a, part).map(|half| vector(half, VectorLength::Y)).into_iter().collect()
            } else {
                let whole = self.in_register(a, part);
                std::iter::once(vector(whole, a.length())).collect()
            };
            for half in halves {
                let result = self.def(at_length(code, length), VECTOR, RegisterView::Vector(length), &[half]);
                parts.push(vector(result, length));
            }
        }
        WideValue { elem: to, width: a.width, parts, constant: None }
    }

    /// The lower and upper half of a 512-bit part.
    fn halves(&mut self, a: &WideValue, part: usize) -> [VReg; 2] {
        let whole = self.in_register(a, part);
        let sources = [vector(whole, VectorLength::Z), InstOperand::Imm8(1)];
        let view = RegisterView::Vector(VectorLength::Y);
        let high = self.def(Code::EVEX_Vextracti64x4_ymmm256_k1z_zmm_imm8, VECTOR, view, &sources);
        [whole, high]
    }

    /// Lanes of 32 bits made of lanes of 64 by an instruction whose result has half of its length.
    pub(super) fn narrowed(&mut self, code: Code, to: Elem, a: &WideValue) -> WideValue {
        self.narrowed_where(code, to, a, None)
    }

    /// The same; zero where the mask is clear.
    pub(super) fn narrowed_where(&mut self, code: Code, to: Elem, a: &WideValue, set: Option<&WideValue>) -> WideValue {
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

    /// Lanes of 32 bits of halves of 256 bits, or of shorter vectors that are whole already.
    pub(super) fn joined(&mut self, elem: Elem, width: u32, halves: &[VReg]) -> WideValue {
        if width < 16 {
            return WideValue::of(elem, width, halves.iter().copied());
        }
        let join = |writer: &mut Self, pair: &[VReg]| {
            let (low, high) = (vector(pair[0], VectorLength::Z), vector(pair[1], VectorLength::Y));
            let sources = [low, high, InstOperand::Imm8(1)];
            let view = RegisterView::Vector(VectorLength::Z);
            writer.def(Code::EVEX_Vinserti64x4_zmm_k1z_zmm_ymmm256_imm8, VECTOR, view, &sources)
        };
        let parts: Vec<VReg> = halves.chunks(2).map(|pair| join(self, pair)).collect();
        WideValue::of(elem, width, parts)
    }

    /// The low 32 bits of integers.
    pub(super) fn low_words(&mut self, a: &WideValue) -> WideValue {
        if !is_wide(a.elem) {
            return a.clone();
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
