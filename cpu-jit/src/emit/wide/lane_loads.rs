//! Gathers as one load for each lane.
//!
//! Processors of AMD take longer for a gather than for loads of its lanes where these lie in the first
//! cache: on a Zen 4 0.29 ns for each of 16 lanes, and 0.17 ns for offsets that are taken out of their
//! register, loads, and the lanes put together. From the second cache on both take the same. Other
//! processors gather ([`WideMachine::loads_lanes`](super::machine::WideMachine)).
//!
//! A gather skips the lanes that are not set. Here these load from the address of the lowest lane that
//! is set, and become zeros; if none is set, nothing is loaded.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, WideLowering};
use super::vcode::{RegisterView, VECTOR, VectorLength};
use super::vectors::{WideValue, is_wide};
use super::writer::{CodeWriter, InstOperand, MemoryOperand, dword, qword, vector};
use crate::lanes::{AddressStep, Elem, LaneAddress};

/// Maximum number of such loads in a function: they are long.
const MOST_LOADS: u32 = 1024;

impl WideLowering<'_> {
    /// Is a gather made of loads?
    pub(super) fn loads_lanes(&mut self) -> bool {
        self.code.machine.loads_lanes && self.code.lane_loads + self.width() <= MOST_LOADS
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
        self.code.lane_loads += self.width();
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
        let at = |offsets: &WideValue, code: &mut CodeWriter| {
            let offsets = offsets.clone();
            code.lanes_at(elem, offsets.width, |code, first| {
                let words = code.lane_words(&offsets, first);
                words
                    .iter()
                    .map(|&word| MemoryOperand { index: Some((word, RegisterView::Qword, 1)), ..place })
                    .collect()
            })
        };
        let Some(set) = set else { return at(offsets, &mut self.code) };
        let (some, none, join) = (self.code.block(), self.code.block(), self.code.block());
        let condition = self.code.any(set);
        self.code.branch(condition, some, none);
        self.code.begin(some);
        let lowest = self.lowest_lane(offsets, set);
        let x = RegisterView::Vector(VectorLength::X);
        let lowest = match is_wide(offsets.elem) {
            true => self.code.def(Code::EVEX_Vmovq_xmm_rm64, VECTOR, x, &[qword(lowest)]),
            false => self.code.def(Code::EVEX_Vmovd_xmm_rm32, VECTOR, x, &[dword(lowest)]),
        };
        let lowest = self.code.repeat(offsets.elem, offsets.width, lowest);
        let offsets = self.code.select(set, offsets, &lowest);
        let lanes = at(&offsets, &mut self.code);
        let lanes = self.code.where_set(set, &lanes);
        let arguments = self.code.registers(&lanes).to_vec();
        self.code.jump(join, arguments);
        self.code.begin(none);
        let zero = self.code.zero();
        self.code.jump(join, vec![zero; lanes.parts.len()]);
        self.code.begin(join);
        let registers: SmallVec<[VReg; 8]> = lanes.parts.iter().map(|_| self.code.param(join, VECTOR)).collect();
        WideValue::of(elem, lanes.width, registers)
    }
}

impl CodeWriter {
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
