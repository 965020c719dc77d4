//! Values as registers, and instructions applied to all of their parts.
//!
//! A [`WideValue`] is lanes in vector registers, or a mask ([`masks`](super::masks)). Each part of
//! lanes is as long as the program's width needs, at most the longest vector. Lanes of 64 bits have
//! twice the parts of 32-bit lanes once those fill a vector.
//!
//! A scalar takes part in the same recipes as lanes of width 1: in the lowest lane of a 128-bit
//! vector, whose other lanes are ignored.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::vcode::{MASK, RegisterView, VECTOR, VectorLength};
use super::writer::{CodeWriter, InstOperand, MemoryOperand, at_length, mask, vector};
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
        let registers: SmallVec<[VReg; 8]> = registers.into_iter().collect();
        let length = length_of_parts(elem, width, registers.len());
        let view = |register: VReg| if register.class() == MASK { mask(register) } else { vector(register, length) };
        WideValue { elem, width, parts: registers.into_iter().map(view).collect(), constant: None }
    }

    /// The length of its vectors; of a mask, of the vectors of 32-bit lanes that it belongs to.
    pub(super) fn length(&self) -> VectorLength {
        length_of_parts(self.elem, self.width, self.parts.len())
    }

    /// The same bits as another element of that width.
    pub(super) fn seen_as(&self, elem: Elem) -> WideValue {
        WideValue { elem, ..self.clone() }
    }
}

/// The length of each vector if lanes are divided among so many.
fn length_of_parts(elem: Elem, width: u32, parts: usize) -> VectorLength {
    VectorLength::of_bytes((width * bits_of(elem) / 8).div_ceil(parts.max(1) as u32))
}

impl CodeWriter {
    /// A part in a register.
    pub(super) fn in_register(&mut self, value: &WideValue, part: usize) -> VReg {
        let length = value.length();
        let view = RegisterView::Vector(length);
        match value.parts[part] {
            InstOperand::Reg(register, _) => register,
            InstOperand::Mem(memory) if memory.broadcast => {
                let from = InstOperand::Mem(MemoryOperand { broadcast: false, ..memory });
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
    pub(super) fn repeat_code(&self, elem: Elem, length: VectorLength) -> Code {
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
        let length = self.machine.part_length(elem, width);
        let code = self.repeat_code(elem, length);
        let all = self.def(code, VECTOR, RegisterView::Vector(length), &[vector(register, VectorLength::X)]);
        WideValue::of(elem, width, std::iter::repeat_n(all, self.machine.part_count(elem, width)))
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
        if let [InstOperand::Mem(memory), ..] = value.parts.as_slice()
            && memory.broadcast
        {
            // All parts are the same.
            let all = self.in_register(value, 0);
            return WideValue::of(value.elem, value.width, std::iter::repeat_n(all, value.parts.len()));
        }
        let registers = self.registers(value);
        WideValue::of(value.elem, value.width, registers)
    }

    /// One element of memory in every lane, read where it is used if the processor can.
    pub(super) fn repeated(&mut self, elem: Elem, width: u32, memory: MemoryOperand) -> WideValue {
        let count = self.machine.part_count(elem, width);
        let part = InstOperand::Mem(MemoryOperand { broadcast: true, ..memory });
        let lanes = WideValue { elem, width, parts: std::iter::repeat_n(part, count).collect(), constant: None };
        if self.machine.has_masks {
            return lanes;
        }
        let register = self.in_register(&lanes, 0);
        WideValue::of(elem, width, std::iter::repeat_n(register, count))
    }

    /// Zero in every lane of a vector.
    pub(super) fn zero(&mut self) -> VReg {
        self.def_of_itself(Code::EVEX_Vpxord_xmm_k1z_xmm_xmmm128b32, VECTOR, RegisterView::Vector(VectorLength::X))
    }

    /// A constant in every lane; read from memory by the instructions that use it.
    pub(super) fn bits_as(&mut self, elem: Elem, width: u32, bits: u64) -> WideValue {
        let bits = bits & ones(elem);
        let bytes = bits.to_le_bytes();
        let bytes = &bytes[..if is_wide(elem) { 8 } else { 4 }];
        let part = if self.machine.has_masks {
            InstOperand::Pool(self.constant(bytes), true)
        } else {
            let length = self.machine.part_length(elem, width).bytes() as usize;
            let all: SmallVec<[u8; 64]> = bytes.iter().copied().cycle().take(length).collect();
            InstOperand::Pool(self.constant(&all), false)
        };
        let parts = std::iter::repeat_n(part, self.machine.part_count(elem, width)).collect();
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
        let length = self.machine.part_length(to, a.width);
        let code = at_length(code, length);
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            // Older encodings of shifts have no memory operand.
            let from = match immediate {
                Some(_) if !self.machine.has_masks => vector(self.in_register(a, part), length),
                Some(_) | None => a.parts[part],
            };
            let sources: SmallVec<[InstOperand; 2]> =
                std::iter::once(from).chain(immediate.map(InstOperand::Imm8)).collect();
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
        if !self.machine.has_masks {
            let result = self.binary(code, a, b);
            return self.select(set, &result, before);
        }
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

    /// The lanes of two values in sequence, without the first `by`.
    pub(super) fn slide(&mut self, low: &WideValue, high: &WideValue, by: u32) -> WideValue {
        let length = low.length();
        let each = self.machine.part_lanes(low.elem, low.width);
        let mut all: SmallVec<[VReg; 8]> = SmallVec::new();
        for value in [low, high] {
            for part in 0..value.parts.len() {
                all.push(self.in_register(value, part));
            }
        }
        let mut parts = Parts::new();
        for part in 0..low.parts.len() {
            let (first, out) = (part + (by / each) as usize, (by % each) as u8);
            let slid = if out == 0 {
                all[first]
            } else {
                self.slide_part(low.elem, length, [all[first], all[first + 1]], out)
            };
            parts.push(vector(slid, length));
        }
        WideValue { elem: low.elem, width: low.width, parts, constant: None }
    }

    /// The elements of two vectors in sequence, without the first `out`.
    fn slide_part(&mut self, elem: Elem, length: VectorLength, [low, high]: [VReg; 2], out: u8) -> VReg {
        let view = RegisterView::Vector(length);
        let has_masks = self.machine.has_masks;
        let mut joined = |code: Code, high: VReg, low: VReg, by: u8| {
            self.def(code, VECTOR, view, &[vector(high, length), vector(low, length), InstOperand::Imm8(by)])
        };
        if has_masks {
            let dwords = Code::EVEX_Valignd_xmm_k1z_xmm_xmmm128b32_imm8;
            let code = sized(elem, dwords, Code::EVEX_Valignq_xmm_k1z_xmm_xmmm128b64_imm8);
            return joined(at_length(code, length), high, low, out);
        }
        // Bytes, in each half of the vector on its own.
        let code = at_length(Code::VEX_Vpalignr_xmm_xmm_xmmm128_imm8, length);
        let out = out * (bits_of(elem) / 8) as u8;
        if length == VectorLength::X {
            return joined(code, high, low, out);
        }
        let middle = joined(Code::VEX_Vperm2i128_ymm_ymm_ymmm256_imm8, low, high, 0x21);
        match out {
            16 => middle,
            0..16 => joined(code, middle, low, out),
            _ => joined(code, high, middle, out - 16),
        }
    }

    /// A fused multiplication and addition: `a * b + c`, with the product or `c` negated, by an
    /// instruction that overwrites `a` (of which `b` and `c` are the sources) or `c`.
    pub(super) fn fused(&mut self, [a, b, c]: [&WideValue; 3], signs: FusedSigns, over_c: bool) -> WideValue {
        let length = a.length();
        let code = at_length(signs.code(is_wide(a.elem), over_c), length);
        let mut parts = Parts::new();
        for part in 0..a.parts.len() {
            let view = RegisterView::Vector(length);
            let result = if over_c {
                let (first, sum) = (self.in_register(a, part), self.in_register(c, part));
                self.def_over(code, view, sum, &[vector(first, length), b.parts[part]], None)
            } else {
                let (first, second) = (self.in_register(a, part), self.in_register(b, part));
                self.def_over(code, view, first, &[vector(second, length), c.parts[part]], None)
            };
            parts.push(vector(result, length));
        }
        WideValue { elem: a.elem, width: a.width, parts, constant: None }
    }
}

/// What a fused multiplication and addition negates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct FusedSigns {
    /// The product.
    pub(super) product: bool,
    /// The number that is added.
    pub(super) sum: bool,
}

impl FusedSigns {
    /// The instruction for 64-bit or 32-bit lanes that overwrites what is added, or the first factor.
    fn code(self, wide: bool, over_sum: bool) -> Code {
        let [over_sum_wide, over_sum_narrow, over_factor_wide, over_factor_narrow] = match (self.product, self.sum) {
            (false, false) => [
                Code::EVEX_Vfmadd231pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfmadd231ps_xmm_k1z_xmm_xmmm128b32,
                Code::EVEX_Vfmadd213pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfmadd213ps_xmm_k1z_xmm_xmmm128b32,
            ],
            (false, true) => [
                Code::EVEX_Vfmsub231pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfmsub231ps_xmm_k1z_xmm_xmmm128b32,
                Code::EVEX_Vfmsub213pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfmsub213ps_xmm_k1z_xmm_xmmm128b32,
            ],
            (true, false) => [
                Code::EVEX_Vfnmadd231pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfnmadd231ps_xmm_k1z_xmm_xmmm128b32,
                Code::EVEX_Vfnmadd213pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfnmadd213ps_xmm_k1z_xmm_xmmm128b32,
            ],
            (true, true) => [
                Code::EVEX_Vfnmsub231pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfnmsub231ps_xmm_k1z_xmm_xmmm128b32,
                Code::EVEX_Vfnmsub213pd_xmm_k1z_xmm_xmmm128b64,
                Code::EVEX_Vfnmsub213ps_xmm_k1z_xmm_xmmm128b32,
            ],
        };
        match (over_sum, wide) {
            (true, true) => over_sum_wide,
            (true, false) => over_sum_narrow,
            (false, true) => over_factor_wide,
            (false, false) => over_factor_narrow,
        }
    }
}
