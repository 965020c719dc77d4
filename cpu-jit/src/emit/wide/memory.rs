//! Loads, stores, and the addresses of both.
//!
//! Lanes side by side are one masked instruction. Lanes a small step apart are whole vectors
//! ([`strides`](super::strides)). Others are gathered, and scattered where the machine can; what it
//! cannot is accessed one by one ([`lane_loop`](super::lane_loop)).

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Stored;

use super::lower::{Lowered, LoweredValue, WideLowering};
use super::vcode::{Condition, INT, MASK, RegisterView, VECTOR, VectorLength};
use super::vectors::{IntOrder, Parts, WideValue, is_wide, sized};
use super::writer::{CodeWriter, InstOperand, Masking, MemoryBase, MemoryOperand, at_length, dword, qword, vector};
use crate::lanes::{AddressStep, Effect, Elem, LaneAddress, LaneInst, LaneValue, MemorySpace};

/// Bytes of a line of the caches.
const LINE: usize = 64;

impl WideLowering<'_> {
    /// The memory of an address without the step from lane to lane, plus some bytes.
    pub(super) fn memory(&mut self, at: &LaneAddress, further: i64) -> Lowered<MemoryOperand> {
        let mut displacement = at.displacement.wrapping_add(further);
        let base = match self.plan.definition(at.base) {
            Some(LaneInst::Arena(part)) => {
                displacement += self.program.arena.offset(*part) as i64;
                self.arena
            }
            _ => self.scalar(at.base)?,
        };
        let mut index = None;
        if let Some(offset) = at.offset {
            match (self.plan.constant(offset), self.scaled(offset)) {
                (Some(known), _) => displacement = displacement.wrapping_add(known as i64),
                (None, Some((scaled, factor))) if self.is_open(offset) => {
                    index = Some((self.scalar(scaled)?, RegisterView::Qword, factor));
                }
                (None, _) => index = Some((self.scalar(offset)?, RegisterView::Qword, 1)),
            }
        }
        match i32::try_from(displacement) {
            Ok(displacement) => Ok(MemoryOperand { index, ..MemoryOperand::behind(base, displacement) }),
            Err(_) => {
                let far = self.code.number(displacement as u64);
                let start = self.code.address(MemoryOperand { index, ..MemoryOperand::behind(base, 0) });
                let index = Some((far, RegisterView::Qword, 1));
                Ok(MemoryOperand { index, ..MemoryOperand::behind(start, 0) })
            }
        }
    }

    /// The same as a pointer and a displacement, without an index.
    pub(super) fn pointer(&mut self, at: &LaneAddress) -> Lowered<MemoryOperand> {
        let memory = self.memory(at, 0)?;
        if memory.index.is_none() {
            return Ok(memory);
        }
        let base = self.code.address(MemoryOperand { displacement: 0, ..memory });
        Ok(MemoryOperand::behind(base, memory.displacement))
    }

    /// A load.
    pub(super) fn load(&mut self, value: LaneValue, at: &LaneAddress, set: Option<LaneValue>) -> Lowered<LoweredValue> {
        if at.along == AddressStep::Uniform {
            let from = self.memory(at, 0)?;
            return Ok(LoweredValue::Scalar(self.code.load_scalar(from, at.stored)));
        }
        if self.plan.waits(value) && set.is_none() && super::folding::is_plain(at) {
            return Ok(LoweredValue::Lanes(self.memory_parts(at)?));
        }
        let set = self.optional_mask(set)?;
        if at.along == AddressStep::Step(at.stored.size().into()) && self.masks_row(at, set.as_ref()) {
            return Ok(LoweredValue::Lanes(self.load_row(at, set.as_ref())?));
        }
        if let (None, Some(step)) = (&set, self.small_step(at)) {
            return Ok(LoweredValue::Lanes(self.load_strided(at, step)?));
        }
        let lanes = match self.offsets(at)? {
            Some(offsets) if self.may_be_near(at) => self.gather_near(at, &offsets, set.as_ref())?,
            Some(offsets) if at.stored.size() >= 4 => self.gather(at, &offsets, set.as_ref())?,
            Some(offsets) if offsets.elem == Elem::I32 => self.gather_narrow(at, &offsets, set.as_ref())?,
            Some(_) | None => self.load_by_lanes(at, set.as_ref())?,
        };
        Ok(LoweredValue::Lanes(lanes))
    }

    /// Can lanes side by side be accessed by one instruction under a mask? Only AVX-512 masks
    /// narrow lanes.
    fn masks_row(&self, at: &LaneAddress, set: Option<&WideValue>) -> bool {
        set.is_none() || at.stored.size() >= 4 || self.code.machine.has_masks
    }

    /// Lanes side by side as memory operands.
    fn memory_parts(&mut self, at: &LaneAddress) -> Lowered<WideValue> {
        let (elem, width) = (Elem::of(at.stored.value()), self.width());
        let first = self.memory(at, 0)?;
        let machine = self.code.machine;
        let bytes = i64::from(machine.part_lanes(elem, width) * at.stored.size());
        let mut parts = Parts::new();
        for part in 0..machine.part_count(elem, width) as i64 {
            parts.push(InstOperand::Mem(self.code.further(first, part * bytes)));
        }
        Ok(WideValue { elem, width, parts, constant: None })
    }

    /// Lanes side by side.
    fn load_row(&mut self, at: &LaneAddress, set: Option<&WideValue>) -> Lowered<WideValue> {
        let (elem, width) = (Elem::of(at.stored.value()), self.width());
        let raw = if at.stored.size() < 4 { Elem::I32 } else { elem };
        let machine = self.code.machine;
        let length = machine.part_length(raw, width);
        let code = match at.stored {
            Stored::F32 | Stored::I32 | Stored::U32 => Code::EVEX_Vmovups_xmm_k1z_xmmm128,
            Stored::F64 | Stored::I64 | Stored::U64 => Code::EVEX_Vmovupd_xmm_k1z_xmmm128,
            Stored::U8 | Stored::Bool => Code::EVEX_Vpmovzxbd_xmm_k1z_xmmm32,
            Stored::I8 => Code::EVEX_Vpmovsxbd_xmm_k1z_xmmm32,
            Stored::U16 | Stored::F16 => Code::EVEX_Vpmovzxwd_xmm_k1z_xmmm64,
            Stored::I16 => Code::EVEX_Vpmovsxwd_xmm_k1z_xmmm64,
        };
        let first = self.memory(at, 0)?;
        let bytes = i64::from(machine.part_lanes(raw, width) * at.stored.size());
        let mut registers: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..machine.part_count(raw, width) {
            let set = set.map(|set| self.code.mask_part(set, raw, part));
            let from = InstOperand::Mem(self.code.further(first, part as i64 * bytes));
            let view = RegisterView::Vector(length);
            let register = match set {
                None => self.code.def(at_length(code, length), VECTOR, view, &[from]),
                Some(set) if machine.has_masks => {
                    self.code.def_masked(at_length(code, length), VECTOR, view, &[from], Masking::Zero(set))
                }
                Some(set) => {
                    let code = sized(raw, Code::VEX_Vmaskmovps_xmm_xmm_m128, Code::VEX_Vmaskmovpd_xmm_xmm_m128);
                    self.code.def(at_length(code, length), VECTOR, view, &[vector(set, length), from])
                }
            };
            registers.push(register);
        }
        let lanes = WideValue::of(raw, width, registers);
        Ok(self.code.meant_by(at.stored, lanes))
    }

    /// An effect.
    pub(super) fn effect(&mut self, effect: &Effect) -> Lowered<()> {
        match effect {
            Effect::Store { at, value, mask } => self.store(at, *value, *mask),
            Effect::Fence => {
                self.code.effect(Code::Mfence, &[], None);
                Ok(())
            }
            Effect::Prefetch { at } => self.prefetch(at),
            Effect::Clear { from, bytes } => self.clear(*from, *bytes),
            Effect::Copy { shape, to, from, read, mask } => self.copy(*shape, to, from, *read, *mask),
            Effect::Message { message, thread, values, mask } => self.message(*message, *thread, values, *mask),
        }
    }

    /// Requests each line of lanes in steps; of lanes more than a line apart, the line of each.
    fn prefetch(&mut self, at: &LaneAddress) -> Lowered<()> {
        let first = self.memory(at, 0)?;
        let AddressStep::Step(step) = at.along else { return Ok(()) };
        let end = i64::from(self.width()) * step;
        for line in (0..end).step_by((step as usize).max(LINE)) {
            let memory = self.code.further(first, line);
            self.code.effect(Code::Prefetcht0_m8, &[InstOperand::Mem(memory)], None);
        }
        Ok(())
    }

    fn store(&mut self, at: &LaneAddress, value: LaneValue, set: Option<LaneValue>) -> Lowered<()> {
        if !self.ty(value).is_lanes() {
            let value = self.scalar(value)?;
            let to = self.memory(at, 0)?;
            self.code.store_scalar(to, at.stored, value);
            return Ok(());
        }
        let lanes = self.lanes(value)?;
        let lanes = if lanes.elem == Elem::Bool { lanes } else { self.code.loaded(&lanes) };
        let set = self.optional_mask(set)?;
        match at.along {
            AddressStep::Uniform => self.store_to_one_place(at, &lanes, set.as_ref()),
            AddressStep::Step(step) if step == i64::from(at.stored.size()) && self.masks_row(at, set.as_ref()) => {
                self.store_row(at, &lanes, set.as_ref())
            }
            AddressStep::Step(_) | AddressStep::Each(_) if set.is_none() => match self.small_step(at) {
                Some(step) if self.stores_strided(step) => self.store_strided(at, step, &lanes),
                Some(_) | None => self.store_apart(at, &lanes, None),
            },
            AddressStep::Step(_) | AddressStep::Each(_) => self.store_apart(at, &lanes, set.as_ref()),
        }
    }

    /// The lanes that are set, at a step or at offsets of their own.
    pub(super) fn store_set_lanes(
        &mut self,
        at: &LaneAddress,
        lanes: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<()> {
        match at.stored.size() {
            // Only AVX-512 scatters.
            4 | 8 if self.code.machine.has_masks => match self.offsets(at)? {
                Some(offsets) => self.scatter(at, &offsets, lanes, set),
                None => self.store_by_lanes(at, lanes, set),
            },
            _ => self.store_by_lanes(at, lanes, set),
        }
    }

    /// Lanes side by side.
    fn store_row(&mut self, at: &LaneAddress, lanes: &WideValue, set: Option<&WideValue>) -> Lowered<()> {
        let raw = self.code.stored_as(at.stored, lanes);
        let length = raw.length();
        let code = match at.stored {
            Stored::F32 | Stored::I32 | Stored::U32 => Code::EVEX_Vmovups_xmmm128_k1z_xmm,
            Stored::F64 | Stored::I64 | Stored::U64 => Code::EVEX_Vmovupd_xmmm128_k1z_xmm,
            Stored::U8 | Stored::I8 | Stored::Bool => Code::EVEX_Vpmovdb_xmmm32_k1z_xmm,
            Stored::U16 | Stored::I16 | Stored::F16 => Code::EVEX_Vpmovdw_xmmm64_k1z_xmm,
        };
        let first = self.memory(at, 0)?;
        if set.is_none() && self.bypasses(at, length) {
            self.code.store_past_caches(first, &raw);
            return Ok(());
        }
        let machine = self.code.machine;
        let bytes = i64::from(machine.part_lanes(raw.elem, raw.width) * at.stored.size());
        if at.stored.size() < 4 && !machine.has_masks {
            self.code.store_narrow_row(first, &raw, at.stored.size());
            return Ok(());
        }
        for part in 0..raw.parts.len() {
            let of = fault::choose(Fault::RowMaskedAsWhole, part, 0);
            let set = set.map(|set| self.code.mask_part(set, raw.elem, of));
            let register = self.code.in_register(&raw, part);
            let to = InstOperand::Mem(self.code.further(first, part as i64 * bytes));
            match set {
                Some(set) if !machine.has_masks => {
                    let code = sized(raw.elem, Code::VEX_Vmaskmovps_m128_xmm_xmm, Code::VEX_Vmaskmovpd_m128_xmm_xmm);
                    let operands = [to, vector(set, length), vector(register, length)];
                    self.code.effect(at_length(code, length), &operands, None);
                }
                set => self.code.effect(at_length(code, length), &[to, vector(register, length)], set),
            }
        }
        Ok(())
    }

    /// Do stores of whole vectors to an address bypass the caches, if they are aligned? Only if they
    /// are whole lines: the rest of a line would be stored through the caches, and each half then
    /// takes the line from the other.
    fn bypasses(&self, at: &LaneAddress, length: VectorLength) -> bool {
        self.program.streams
            && !self.code.cold
            && length == self.code.machine.longest
            && at.stored.size() >= 4
            && (self.width() * at.stored.size()).is_multiple_of(LINE as u32)
            && matches!(at.space, MemorySpace::Buffer(_))
            && !self.plan.reads(at.space)
    }

    /// All lanes to one place, where the highest that is set remains.
    fn store_to_one_place(&mut self, at: &LaneAddress, lanes: &WideValue, set: Option<&WideValue>) -> Lowered<()> {
        let to = self.pointer(at)?;
        let Some(set) = set else {
            let last = self.code.number(u64::from(lanes.width) - 1);
            let value = self.code.lane_at(lanes, last);
            self.code.store_scalar(to, at.stored, value);
            return Ok(());
        };
        let bits = self.code.mask_bits(set);
        let (some, join) = (self.code.block(), self.code.block());
        let none = self.code.block();
        self.code.effect(Code::Test_rm64_r64, &[qword(bits), qword(bits)], None);
        self.code.branch(Condition::NotEqual, some, none);
        self.code.begin(none);
        self.code.jump(join, Vec::new());
        self.code.begin(some);
        let highest = self.code.def(Code::Bsr_r64_rm64, INT, RegisterView::Qword, &[qword(bits)]);
        let value = self.code.lane_at(lanes, highest);
        self.code.store_scalar(to, at.stored, value);
        self.code.jump(join, Vec::new());
        self.code.begin(join);
        Ok(())
    }

    /// Lanes one by one: narrow formats, and steps that gathers do not take.
    fn load_by_lanes(&mut self, at: &LaneAddress, set: Option<&WideValue>) -> Lowered<WideValue> {
        let width = self.width();
        let raw = if at.stored.size() < 4 { Elem::I32 } else { Elem::of(at.stored.value()) };
        let results = self.code.clear_results(raw, width);
        let stored = at.stored;
        self.each_lane(at, set, &[], |code, memory, lane, _| {
            let bits = code.load_raw(memory, stored);
            code.store_result(&results, lane, bits);
        })?;
        let lanes = self.code.read_results(&results);
        Ok(self.code.meant_by(at.stored, lanes))
    }

    fn store_by_lanes(&mut self, at: &LaneAddress, lanes: &WideValue, set: Option<&WideValue>) -> Lowered<()> {
        let raw = self.code.stored_as(at.stored, lanes);
        let size = at.stored.size();
        self.each_lane(at, set, &[raw], |code, memory, _, values| {
            code.store_raw(memory, size, values[0]);
        })
    }
}

impl CodeWriter {
    /// Memory further on.
    pub(super) fn further(&mut self, memory: MemoryOperand, bytes: i64) -> MemoryOperand {
        match i32::try_from(i64::from(memory.displacement) + bytes) {
            Ok(displacement) => MemoryOperand { displacement, ..memory },
            Err(_) => {
                let start = self.address(memory);
                let far = self.number(bytes as u64);
                let index = Some((far, RegisterView::Qword, 1));
                let start = self.address(MemoryOperand { index, ..MemoryOperand::behind(start, 0) });
                MemoryOperand { broadcast: memory.broadcast, ..MemoryOperand::behind(start, 0) }
            }
        }
    }

    /// Stores the low bytes of lanes side by side: without AVX-512.
    fn store_narrow_row(&mut self, to: MemoryOperand, lanes: &WideValue, bytes: u32) {
        let of_part = self.machine.part_lanes(lanes.elem, lanes.width) * bytes;
        for (part, packed) in (0..).zip(self.packed(lanes, bytes)) {
            let to = InstOperand::Mem(self.further(to, part * i64::from(of_part)));
            let code = match of_part {
                16 => Code::EVEX_Vmovups_xmmm128_k1z_xmm,
                8 => Code::EVEX_Vmovq_rm64_xmm,
                _ => Code::EVEX_Vmovd_rm32_xmm,
            };
            self.effect(code, &[to, packed], None);
        }
    }

    /// Stores lanes side by side: past the caches where they are aligned, as other stores elsewhere.
    fn store_past_caches(&mut self, to: MemoryOperand, lanes: &WideValue) {
        self.function.streams = true;
        let (start, registers) = (self.address(to), self.registers(lanes));
        self.effect(Code::Test_rm32_imm32, &[dword(start), InstOperand::Imm32(63)], None);
        let (aligned, other, join) = (self.block(), self.block(), self.block());
        self.branch(Condition::Equal, aligned, other);
        let longest = self.machine.longest;
        let (past, through) = match longest {
            VectorLength::Z => (Code::EVEX_Vmovntps_m512_zmm, Code::EVEX_Vmovups_zmmm512_k1z_zmm),
            VectorLength::X | VectorLength::Y => (Code::VEX_Vmovntps_m256_ymm, Code::VEX_Vmovups_ymmm256_ymm),
        };
        for (block, code) in [(aligned, past), (other, through)] {
            self.begin(block);
            for (part, &register) in (0..).zip(&registers) {
                let to = InstOperand::Mem(MemoryOperand::behind(start, longest.bytes() as i32 * part));
                self.effect(code, &[to, vector(register, longest)], None);
            }
            self.jump(join, Vec::new());
        }
        self.begin(join);
    }

    /// Loads a scalar.
    pub(super) fn load_scalar(&mut self, from: MemoryOperand, stored: Stored) -> VReg {
        match stored {
            Stored::F32 | Stored::F64 => {
                let code = match stored {
                    Stored::F32 => Code::EVEX_Vmovss_xmm_k1z_m32,
                    _ => Code::EVEX_Vmovsd_xmm_k1z_m64,
                };
                self.def(code, VECTOR, RegisterView::Vector(VectorLength::X), &[InstOperand::Mem(from)])
            }
            Stored::Bool => {
                let byte = self.load_raw(from, stored);
                self.effect(Code::Test_rm32_r32, &[dword(byte), dword(byte)], None);
                let truth = self.def(Code::Setne_rm8, INT, RegisterView::Byte, &[]);
                let source = [InstOperand::Reg(truth, RegisterView::Byte)];
                self.def(Code::Movzx_r32_rm8, INT, RegisterView::Dword, &source)
            }
            Stored::F16 => {
                let bits = self.load_raw(from, stored);
                let view = RegisterView::Vector(VectorLength::X);
                let lane = self.def(Code::EVEX_Vmovd_xmm_rm32, VECTOR, view, &[dword(bits)]);
                let float = self.half_to_float(&WideValue::of(Elem::I32, 1, [lane]));
                self.in_register(&float, 0)
            }
            Stored::I8
            | Stored::U8
            | Stored::I16
            | Stored::U16
            | Stored::I32
            | Stored::U32
            | Stored::I64
            | Stored::U64 => self.load_raw(from, stored),
        }
    }

    /// Loads the bits of a scalar into a general register, extended to 32 bits.
    pub(super) fn load_raw(&mut self, from: MemoryOperand, stored: Stored) -> VReg {
        let (code, view) = match stored {
            Stored::Bool | Stored::U8 => (Code::Movzx_r32_rm8, RegisterView::Dword),
            Stored::I8 => (Code::Movsx_r32_rm8, RegisterView::Dword),
            Stored::U16 | Stored::F16 => (Code::Movzx_r32_rm16, RegisterView::Dword),
            Stored::I16 => (Code::Movsx_r32_rm16, RegisterView::Dword),
            Stored::I32 | Stored::U32 | Stored::F32 => (Code::Mov_r32_rm32, RegisterView::Dword),
            Stored::I64 | Stored::U64 | Stored::F64 => (Code::Mov_r64_rm64, RegisterView::Qword),
        };
        self.def(code, INT, view, &[InstOperand::Mem(from)])
    }

    /// Stores a scalar.
    pub(super) fn store_scalar(&mut self, to: MemoryOperand, stored: Stored, value: VReg) {
        let to_memory = InstOperand::Mem(to);
        let float = vector(value, VectorLength::X);
        match stored {
            Stored::F32 => self.effect(Code::EVEX_Vmovss_m32_k1_xmm, &[to_memory, float], None),
            Stored::F64 => self.effect(Code::EVEX_Vmovsd_m64_k1_xmm, &[to_memory, float], None),
            Stored::F16 => {
                let half = self.float_to_half(&WideValue::of(Elem::F32, 1, [value]));
                let lane = self.in_register(&half, 0);
                let source = [vector(lane, VectorLength::X)];
                let bits = self.def(Code::EVEX_Vmovd_rm32_xmm, INT, RegisterView::Dword, &source);
                self.store_raw(to, 2, bits);
            }
            Stored::Bool
            | Stored::I8
            | Stored::U8
            | Stored::I16
            | Stored::U16
            | Stored::I32
            | Stored::U32
            | Stored::I64
            | Stored::U64 => self.store_raw(to, stored.size(), value),
        }
    }

    /// Stores the low bytes of a general register.
    pub(super) fn store_raw(&mut self, to: MemoryOperand, bytes: u32, value: VReg) {
        let (code, view) = match bytes {
            1 => (Code::Mov_rm8_r8, RegisterView::Byte),
            2 => (Code::Mov_rm16_r16, RegisterView::Word),
            4 => (Code::Mov_rm32_r32, RegisterView::Dword),
            _ => (Code::Mov_rm64_r64, RegisterView::Qword),
        };
        self.effect(code, &[InstOperand::Mem(to), InstOperand::Reg(value, view)], None);
    }

    /// Lanes in a memory format, narrow ones extended to 32 bits, as values.
    pub(super) fn meant_by(&mut self, stored: Stored, raw: WideValue) -> WideValue {
        match stored {
            Stored::Bool => {
                let zero = self.bits(&raw, 0);
                self.compare_ints(IntOrder::NotEqual, true, &raw, &zero)
            }
            Stored::F16 => self.half_to_float(&raw),
            _ => raw,
        }
    }

    /// Values as lanes whose low bytes are stored.
    pub(super) fn stored_as(&mut self, stored: Stored, lanes: &WideValue) -> WideValue {
        match stored {
            Stored::Bool => self.number_of(lanes, Elem::I32),
            Stored::F16 => self.float_to_half(lanes),
            _ => lanes.clone(),
        }
    }

    /// Zeroes memory of the worker, a multiple of 4 bytes.
    pub(super) fn clear(&mut self, from: VReg, bytes: u64) {
        let zero = self.zero();
        let (longest, mut at) = (self.machine.longest, 0);
        let store = |writer: &mut Self, at: u64, length: VectorLength, set: Option<VReg>| {
            let to = InstOperand::Mem(MemoryOperand::behind(from, at as i32));
            let code = at_length(Code::EVEX_Vmovups_xmmm128_k1z_xmm, length);
            writer.effect(code, &[to, vector(zero, length)], set);
        };
        while bytes - at >= longest.bytes().into() {
            store(self, at, longest, None);
            at += u64::from(longest.bytes());
        }
        if at < bytes && self.machine.has_masks {
            let bits = self.number((1 << ((bytes - at) / 4)) - 1);
            let set = self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[dword(bits)]);
            store(self, at, longest, Some(set));
            return;
        }
        while bytes - at >= 16 {
            store(self, at, VectorLength::X, None);
            at += 16;
        }
        while at < bytes {
            let to = InstOperand::Mem(MemoryOperand::behind(from, at as i32));
            self.effect(Code::Mov_rm32_imm32, &[to, InstOperand::Imm32(0)], None);
            at += 4;
        }
    }

    /// Writes lanes to the function's room at an offset; of masks 32-bit lanes of all ones.
    pub(super) fn spill(&mut self, lanes: &WideValue, offset: u32) {
        let lanes = &self.mask_as_words(lanes);
        let length = lanes.length();
        for part in 0..lanes.parts.len() {
            let register = self.in_register(lanes, part);
            let to = InstOperand::Mem(MemoryOperand::room(offset + part as u32 * length.bytes()));
            let code = at_length(Code::EVEX_Vmovups_xmmm128_k1z_xmm, length);
            self.effect(code, &[to, vector(register, length)], None);
        }
    }

    /// The value of the lane with an index, which is less than the width.
    pub(super) fn lane_at(&mut self, lanes: &WideValue, lane: VReg) -> VReg {
        if lanes.elem == Elem::Bool {
            let bits = self.mask_bits(lanes);
            let sources = [qword(bits), qword(lane)];
            let bit = self.def(Code::VEX_Shrx_r64_rm64_r64, INT, RegisterView::Qword, &sources);
            return self.def_over(Code::And_rm32_imm32, RegisterView::Dword, bit, &[InstOperand::Imm32(1)], None);
        }
        let size = if is_wide(lanes.elem) { 8 } else { 4 };
        self.reserve(lanes.width.max(16 / size) * size);
        self.spill(lanes, 0);
        let index = Some((lane, RegisterView::Qword, size as u8));
        let from = MemoryOperand { index, ..MemoryOperand::at(MemoryBase::Room, 0) };
        let stored = match lanes.elem {
            Elem::F32 => Stored::F32,
            Elem::F64 => Stored::F64,
            Elem::I64 => Stored::I64,
            Elem::Bool | Elem::I32 => Stored::I32,
        };
        self.load_scalar(from, stored)
    }
}

impl WideLowering<'_> {
    /// The value of the lowest lane that is set; of the highest lane if none is.
    pub(super) fn lowest_lane(&mut self, lanes: &WideValue, set: &WideValue) -> VReg {
        let bits = self.code.mask_bits(set);
        let top = self.code.number(1 << (lanes.width - 1));
        let bits = self.code.def_over(Code::Or_r64_rm64, RegisterView::Qword, bits, &[qword(top)], None);
        let lane = self.code.def(Code::Tzcnt_r64_rm64, INT, RegisterView::Qword, &[qword(bits)]);
        self.code.lane_at(lanes, lane)
    }
}
