//! Gathers and scatters as one load or store for each lane.
//!
//! Processors of AMD take longer for a gather than for loads of its lanes where these lie in the first
//! cache: on a Zen 4 0.29 ns for each of 16 lanes, and 0.17 ns for offsets that are taken out of their
//! register, loads, and the lanes put together. From the second cache on both take the same. A scatter
//! takes 0.36 to 0.39 ns on a Zen 5, stores of lanes that are taken out of their register 0.24 to 0.27 ns.
//! Other processors gather and scatter ([`WideMachine::loads_lanes`](super::machine::WideMachine)); where
//! they have no instruction for it, as AVX2 has none that scatters and none for narrow elements, all
//! store lanes.
//!
//! A gather skips the lanes that are not set. Most masks are those of a bounds check that every lane
//! passes, so all lanes are loaded if all are set, and none if none is; each vector on its own, since
//! lanes that leave a loop one after the other leave whole vectors. If some are set, the instruction
//! gathers: loads of all lanes, those that are not set from the address of another one, made a product of
//! a sparse matrix take 1.5 times as long on a Zen 5.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;
use tilewise_ir::types::Stored;

use super::lane_loop::EveryPlace;
use super::lower::{Lowered, WideLowering};
use super::vcode::{RegisterView, VECTOR, VectorLength};
use super::vectors::{Parts, WideValue, is_wide};
use super::writer::{CodeWriter, InstOperand, MemoryOperand, vector};
use crate::lanes::{AddressStep, Elem, LaneAddress};

/// Maximum number of such accesses in a function: they are long.
const MOST_ACCESSES: u32 = 1024;

impl WideLowering<'_> {
    /// Is a gather made of loads?
    pub(super) fn loads_lanes(&mut self) -> bool {
        self.code.machine.loads_lanes && self.has_room_for_lanes()
    }

    /// Is a scatter made of stores?
    pub(super) fn stores_lanes(&mut self, stored: Stored) -> bool {
        let machine = self.code.machine;
        let scatters = machine.has_masks && stored.size() >= 4;
        (machine.loads_lanes || !scatters) && self.has_room_for_lanes()
    }

    fn has_room_for_lanes(&mut self) -> bool {
        self.code.lane_accesses + self.width() <= MOST_ACCESSES
    }

    /// Elements of 32 or 64 bits at an address, a load for each lane. Offsets of 32 bits have no sign.
    pub(super) fn load_lanes(
        &mut self,
        at: &LaneAddress,
        offsets: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<WideValue> {
        let place = self.pointer(at)?;
        let elem = Elem::of(at.stored.value());
        self.code.lane_accesses += self.width();
        if let (AddressStep::Step(step), None) = (at.along, set) {
            return Ok(self.code.lanes_at(elem, offsets.width, |code, first| {
                (0..4).map(|lane| code.further(place, step * i64::from(first + lane))).collect()
            }));
        }
        Ok(self.load_lanes_from(place, elem, offsets, set))
    }

    /// Elements at offsets from a place.
    pub(super) fn load_lanes_from(
        &mut self,
        place: MemoryOperand,
        elem: Elem,
        offsets: &WideValue,
        set: Option<&WideValue>,
    ) -> WideValue {
        let Some(set) = set else { return self.load_all_lanes(place, elem, offsets) };
        let mut registers: SmallVec<[VReg; 8]> = SmallVec::new();
        if is_wide(elem) || is_wide(offsets.elem) {
            registers = self.load_set_lanes(place, elem, offsets, set);
        } else {
            for part in 0..offsets.parts.len() {
                let (offsets, set) = (self.code.one_vector(offsets, part), self.code.one_vector(set, part));
                registers.extend(self.load_set_lanes(place, elem, &offsets, &set));
            }
        }
        WideValue::of(elem, offsets.width, registers)
    }

    /// A load for each lane if all are set, none if none is, otherwise a gather.
    fn load_set_lanes(
        &mut self,
        place: MemoryOperand,
        elem: Elem,
        offsets: &WideValue,
        set: &WideValue,
    ) -> SmallVec<[VReg; 8]> {
        let blocks = self.code.branch_by_lanes(set);
        let lanes = self.load_all_lanes(place, elem, offsets);
        let count = lanes.parts.len();
        let arguments = self.code.registers(&lanes).to_vec();
        self.code.jump(blocks.join, arguments);
        self.code.begin(blocks.some);
        let lanes = self.gather_from(place, elem, offsets, Some(set));
        let arguments = self.code.registers(&lanes).to_vec();
        self.code.jump(blocks.join, arguments);
        self.code.begin(blocks.none);
        let zero = self.code.zero();
        self.code.jump(blocks.join, vec![zero; count]);
        self.code.begin(blocks.join);
        (0..count).map(|_| self.code.param(blocks.join, VECTOR)).collect()
    }

    fn load_all_lanes(&mut self, place: MemoryOperand, elem: Elem, offsets: &WideValue) -> WideValue {
        self.code.lanes_at(elem, offsets.width, |code, first| {
            let words = code.lane_words(offsets, first);
            words.iter().map(|&word| MemoryOperand { index: Some((word, RegisterView::Qword, 1)), ..place }).collect()
        })
    }

    /// Lanes at a step or at offsets of their own: a store for each, if that pays off and all are set.
    pub(super) fn store_apart(&mut self, at: &LaneAddress, lanes: &WideValue, set: Option<&WideValue>) -> Lowered<()> {
        if !self.stores_lanes(at.stored) {
            return self.store_set_lanes(at, lanes, set);
        }
        let places = self.every_place(at)?;
        let (raw, width, size) = (self.code.stored_as(at.stored, lanes), self.width(), at.stored.size());
        self.code.lane_accesses += width;
        let store = |code: &mut CodeWriter, memory: MemoryOperand, words: &[VReg]| {
            code.store_raw(memory, size, words[0]);
        };
        let Some(set) = set else {
            self.code.at_every_lane(&places, width, &[raw], store);
            return Ok(());
        };
        let scatters = self.code.machine.has_masks && size == 4;
        let Some(offsets) = places.offsets.as_ref().filter(|offsets| scatters && !is_wide(offsets.elem)) else {
            let blocks = self.code.branch_by_lanes(set);
            self.code.at_every_lane(&places, width, &[raw], store);
            self.code.jump(blocks.join, Vec::new());
            self.code.begin(blocks.some);
            self.store_set_lanes(at, lanes, Some(set))?;
            self.code.jump(blocks.join, Vec::new());
            self.code.begin(blocks.none);
            self.code.jump(blocks.join, Vec::new());
            self.code.begin(blocks.join);
            return Ok(());
        };
        let offsets = self.code.loaded(offsets);
        for part in 0..offsets.parts.len() {
            let [offsets, raw, set] = [&offsets, &raw, set].map(|value| self.code.one_vector(value, part));
            let places = EveryPlace { offsets: Some(offsets.clone()), ..places };
            let blocks = self.code.branch_by_lanes(&set);
            self.code.at_every_lane(&places, offsets.width, std::slice::from_ref(&raw), store);
            self.code.jump(blocks.join, Vec::new());
            self.code.begin(blocks.some);
            self.code.scatter_to(places.base, &offsets, &raw, Some(&set));
            self.code.jump(blocks.join, Vec::new());
            self.code.begin(blocks.none);
            self.code.jump(blocks.join, Vec::new());
            self.code.begin(blocks.join);
        }
        Ok(())
    }
}

/// Blocks of code that depends on how many lanes are set; that for all lanes follows at once.
struct LaneBranch {
    some: usize,
    none: usize,
    join: usize,
}

impl CodeWriter {
    /// Branches by whether all lanes are set, some, or none, and begins the code for all.
    fn branch_by_lanes(&mut self, set: &WideValue) -> LaneBranch {
        let (all, others, some) = (self.block(), self.block(), self.block());
        let (none, join) = (self.block(), self.block());
        let condition = self.all(set);
        self.branch(condition, all, others);
        self.begin(others);
        let condition = self.any(set);
        self.branch(condition, some, none);
        self.begin(all);
        LaneBranch { some, none, join }
    }

    /// One vector of 32-bit lanes, or of a mask for such, as a value of its own.
    fn one_vector(&self, value: &WideValue, part: usize) -> WideValue {
        let width = self.machine.part_lanes(Elem::I32, value.width);
        WideValue { elem: value.elem, width, parts: Parts::from_slice(&[value.parts[part]]), constant: value.constant }
    }
    /// The elements at the addresses of the lanes, which `four` has by fours.
    fn lanes_at(
        &mut self,
        elem: Elem,
        width: u32,
        four: impl Fn(&mut CodeWriter, u32) -> SmallVec<[MemoryOperand; 4]>,
    ) -> WideValue {
        let mut quarters: SmallVec<[VReg; 16]> = SmallVec::new();
        for first in (0..width).step_by(4) {
            let at = four(self, first);
            let pairs = [self.lane_pair(elem, at[0], at[1]), self.lane_pair(elem, at[2], at[3])];
            match is_wide(elem) {
                true => quarters.extend(pairs),
                false => {
                    let sources = pairs.map(|pair| vector(pair, VectorLength::X));
                    let x = RegisterView::Vector(VectorLength::X);
                    quarters.push(self.def(Code::EVEX_Vmovlhps_xmm_xmm_xmm, VECTOR, x, &sources));
                }
            }
        }
        if self.machine.part_length(elem, width) == VectorLength::X {
            return WideValue::of(elem, width, quarters);
        }
        let y = VectorLength::Y;
        let code = if self.machine.has_masks {
            Code::EVEX_Vinserti32x4_ymm_k1z_ymm_xmmm128_imm8
        } else {
            Code::VEX_Vinserti128_ymm_ymm_xmmm128_imm8
        };
        let halves: SmallVec<[VReg; 8]> = quarters
            .chunks(2)
            .map(|pair| {
                let sources = [vector(pair[0], y), vector(pair[1], VectorLength::X), InstOperand::Imm8(1)];
                self.def(code, VECTOR, RegisterView::Vector(y), &sources)
            })
            .collect();
        match self.machine.part_length(elem, width) == y {
            true => WideValue::of(elem, width, halves),
            false => self.joined(elem, width, &halves),
        }
    }

    /// Two elements at the beginning of a register.
    fn lane_pair(&mut self, elem: Elem, low: MemoryOperand, high: MemoryOperand) -> VReg {
        let x = RegisterView::Vector(VectorLength::X);
        let (low, high) = (InstOperand::Mem(low), InstOperand::Mem(high));
        if is_wide(elem) {
            let low = self.def(Code::EVEX_Vmovsd_xmm_k1z_m64, VECTOR, x, &[low]);
            return self.def(Code::EVEX_Vmovhpd_xmm_xmm_m64, VECTOR, x, &[vector(low, VectorLength::X), high]);
        }
        let low = self.def(Code::EVEX_Vmovss_xmm_k1z_m32, VECTOR, x, &[low]);
        let sources = [vector(low, VectorLength::X), high, InstOperand::Imm8(0x10)];
        self.def(Code::EVEX_Vinsertps_xmm_xmm_xmmm32_imm8, VECTOR, x, &sources)
    }
}
