//! Code that runs once for each lane, lowest first: narrow gathers and scatters, atomics.
//!
//! Offsets and values are spilled to the function's room, and a loop over the set bits of the mask
//! reads them by the number of the lane. The room has 512 bytes for the offsets, as many for each of
//! two values, and as many for the results: 64 lanes of 64 bits.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, WideLowering};
use super::vcode::{Condition, INT, RegisterView, VECTOR, VectorLength};
use super::vectors::{Parts, WideValue, is_wide};
use super::writer::{CodeWriter, InstOperand, MemoryBase, MemoryOperand, at_length, dword, qword, vector};
use crate::lanes::{AddressStep, Elem, LaneAddress};

/// Bytes for the lanes of one value.
const LANES: u32 = 512;

/// Where the values begin.
const VALUES: u32 = LANES;

/// Where the results begin.
const RESULTS: u32 = 3 * LANES;

/// The results of code that runs for each lane.
pub(super) struct LaneResults {
    elem: Elem,
    width: u32,
}

/// The address of each lane.
pub(super) struct LanePlaces {
    base: MemoryOperand,
    step: LaneStep,
}

/// The address of every lane, for code without a loop.
pub(super) struct EveryPlace {
    pub(super) base: MemoryOperand,
    /// Bytes of each lane from the base, without sign if they have 32 bits; otherwise lanes are a step apart.
    pub(super) offsets: Option<WideValue>,
    pub(super) step: i64,
}

/// The distance of a lane from the base.
#[derive(Clone, Copy)]
enum LaneStep {
    None,
    Constant(i64),
    /// In the room from an offset on: of 64 bits, or of 32.
    Spilled {
        start: u32,
        wide: bool,
    },
}

const fn lane_bytes(elem: Elem) -> u8 {
    if is_wide(elem) { 8 } else { 4 }
}

/// A loop over lanes whose body is being written.
struct OpenLaneLoop {
    /// A bit for this lane and each that follows.
    left: VReg,
    head: usize,
    back: usize,
    after: usize,
    join: usize,
}

impl WideLowering<'_> {
    /// Writes `body` for each lane that is set: it has the lane's memory, its number, and the bits
    /// of its values.
    pub(super) fn each_lane(
        &mut self,
        at: &LaneAddress,
        set: Option<&WideValue>,
        values: &[WideValue],
        body: impl FnOnce(&mut CodeWriter, MemoryOperand, VReg, &[VReg]),
    ) -> Lowered<()> {
        let places = self.places(at, values)?;
        let width = self.width();
        self.code.loop_over_lanes(width, set, |code, lane| {
            let memory = code.lane_memory(&places, lane);
            let words = code.spilled_lanes(values, lane);
            body(code, memory, lane, &words);
        });
        Ok(())
    }

    /// Writes `body` for every lane, without a loop. Lanes are taken out of the registers: memory that was just
    /// written as a vector is slow to read by lanes. Through memory, which is fewer instructions, a histogram
    /// took 1.04 times as long on a Zen 4 and 1.15 times on a Sapphire Rapids.
    pub(super) fn every_lane(
        &mut self,
        at: &LaneAddress,
        values: &[WideValue],
        body: impl Fn(&mut CodeWriter, MemoryOperand, &[VReg]),
    ) -> Lowered<()> {
        let places = self.every_place(at)?;
        self.code.at_every_lane(&places, self.program.width, values, body);
        Ok(())
    }

    /// The address of every lane, for code without a loop.
    pub(super) fn every_place(&mut self, at: &LaneAddress) -> Lowered<EveryPlace> {
        let base = self.pointer(at)?;
        let (offsets, step) = match at.along {
            AddressStep::Each(offsets) => (Some(self.lanes(offsets)?), 0),
            AddressStep::Step(step) => (None, step),
            AddressStep::Uniform => (None, 0),
        };
        Ok(EveryPlace { base, offsets, step })
    }

    /// Spills what the code for each lane reads.
    fn places(&mut self, at: &LaneAddress, values: &[WideValue]) -> Lowered<LanePlaces> {
        let places = self.places_at(at, 0)?;
        for (i, value) in (0..).zip(values) {
            self.code.spill(value, VALUES + LANES * i);
        }
        Ok(places)
    }

    /// Spills the offsets of the lanes to one of the parts of the room.
    pub(super) fn places_at(&mut self, at: &LaneAddress, part: u32) -> Lowered<LanePlaces> {
        self.code.reserve(RESULTS + LANES);
        let step = match at.along {
            AddressStep::Uniform => LaneStep::None,
            AddressStep::Step(step) => LaneStep::Constant(step),
            AddressStep::Each(offsets) => {
                let offsets = self.lanes(offsets)?;
                self.code.spill(&offsets, LANES * part);
                LaneStep::Spilled { start: LANES * part, wide: is_wide(offsets.elem) }
            }
        };
        Ok(LanePlaces { base: self.pointer(at)?, step })
    }
}

impl CodeWriter {
    /// Writes `body` for every lane, which has the lane's memory and the bits of its values.
    pub(super) fn at_every_lane(
        &mut self,
        places: &EveryPlace,
        width: u32,
        values: &[WideValue],
        body: impl Fn(&mut CodeWriter, MemoryOperand, &[VReg]),
    ) {
        let EveryPlace { base, offsets, step } = places;
        // Lanes are taken out in fours.
        for first in (0..width).step_by(4) {
            let lanes = width.min(4);
            let offsets = offsets.as_ref().map(|offsets| self.lane_words(offsets, first));
            let words: SmallVec<[SmallVec<[VReg; 4]>; 2]> =
                values.iter().map(|value| self.lane_words(value, first)).collect();
            for lane in 0..lanes as usize {
                let memory = match &offsets {
                    Some(offsets) => MemoryOperand { index: Some((offsets[lane], RegisterView::Qword, 1)), ..*base },
                    None => self.further(*base, step.wrapping_mul(i64::from(first) + lane as i64)),
                };
                let words: SmallVec<[VReg; 2]> = words.iter().map(|words| words[lane]).collect();
                body(self, memory, &words);
            }
        }
    }

    /// Computes each lane of a result from the bits of that lane of some values.
    pub(super) fn by_lanes(
        &mut self,
        elem: Elem,
        values: &[WideValue],
        body: impl FnOnce(&mut CodeWriter, &[VReg]) -> VReg,
    ) -> WideValue {
        let width = values[0].width;
        let results = self.clear_results(elem, width);
        for (i, value) in (0..).zip(values) {
            self.spill(value, VALUES + LANES * i);
        }
        self.loop_over_lanes(width, None, |code, lane| {
            let words = code.spilled_lanes(values, lane);
            let bits = body(code, &words);
            code.store_result(&results, lane, bits);
        });
        self.read_results(&results)
    }

    /// A loop over the lanes that are set, lowest first: `body` has the number of the lane.
    pub(super) fn loop_over_lanes(
        &mut self,
        width: u32,
        set: Option<&WideValue>,
        body: impl FnOnce(&mut CodeWriter, VReg),
    ) {
        let (open, lane) = self.open_lane_loop(width, set);
        body(self, lane);
        self.close_lane_loop(open);
    }

    /// Begins such a loop. Returns the number of the lane in its body.
    fn open_lane_loop(&mut self, width: u32, set: Option<&WideValue>) -> (OpenLaneLoop, VReg) {
        let bits = match set {
            Some(set) => self.mask_bits(set),
            None => self.number(u64::MAX >> (64 - width)),
        };
        let (head, back, after, join) = (self.block(), self.block(), self.block(), self.block());
        if set.is_some() {
            let (some, none) = (self.block(), self.block());
            self.effect(Code::Test_rm64_r64, &[qword(bits), qword(bits)], None);
            self.branch(Condition::NotEqual, some, none);
            self.begin(none);
            self.jump(join, Vec::new());
            self.begin(some);
        }
        self.jump(head, vec![bits]);
        self.begin(head);
        let left = self.param(head, INT);
        let lane = self.def(Code::Tzcnt_r64_rm64, INT, RegisterView::Qword, &[qword(left)]);
        (OpenLaneLoop { left, head, back, after, join }, lane)
    }

    fn close_lane_loop(&mut self, OpenLaneLoop { left, head, back, after, join }: OpenLaneLoop) {
        let rest = self.def(Code::VEX_Blsr_r64_rm64, INT, RegisterView::Qword, &[qword(left)]);
        self.effect(Code::Test_rm64_r64, &[qword(rest), qword(rest)], None);
        self.branch(Condition::NotEqual, back, after);
        self.begin(back);
        self.jump(head, vec![rest]);
        self.begin(after);
        self.jump(join, Vec::new());
        self.begin(join);
    }

    /// A lane of each of these values, which are in the room.
    fn spilled_lanes(&mut self, values: &[WideValue], lane: VReg) -> SmallVec<[VReg; 2]> {
        (0..).zip(values).map(|(i, value)| self.spilled_lane(VALUES + LANES * i, value.elem, lane)).collect()
    }

    /// The bits of four lanes from a multiple of 4 on, zero-extended to 64.
    pub(super) fn lane_words(&mut self, lanes: &WideValue, first: u32) -> SmallVec<[VReg; 4]> {
        let wide = is_wide(lanes.elem);
        let each = if wide { 2 } else { 4 };
        let mut words = SmallVec::new();
        for first in (first..first + 4).step_by(each) {
            let of_part = self.machine.part_lanes(lanes.elem, lanes.width);
            let register = self.in_register(lanes, (first / of_part) as usize);
            let quarter = (first % of_part) / each as u32;
            let x = RegisterView::Vector(VectorLength::X);
            let four = match quarter {
                0 => register,
                _ => {
                    let longest = self.machine.longest;
                    let code = match longest {
                        VectorLength::Z => Code::EVEX_Vextracti32x4_xmmm128_k1z_zmm_imm8,
                        VectorLength::X | VectorLength::Y => Code::VEX_Vextracti128_xmmm128_ymm_imm8,
                    };
                    let sources = [vector(register, longest), InstOperand::Imm8(quarter as u8)];
                    self.def(code, VECTOR, x, &sources)
                }
            };
            let four = vector(four, VectorLength::X);
            let low = self.def(Code::EVEX_Vmovq_rm64_xmm, INT, RegisterView::Qword, &[four]);
            let sources = [four, InstOperand::Imm8(1)];
            let high = self.def(Code::EVEX_Vpextrq_rm64_xmm_imm8, INT, RegisterView::Qword, &sources);
            for pair in [low, high] {
                if wide {
                    words.push(pair);
                    continue;
                }
                words.push(self.def(Code::Mov_r32_rm32, INT, RegisterView::Dword, &[dword(pair)]));
                let by = [InstOperand::Imm8(32)];
                words.push(self.def_over(Code::Shr_rm64_imm8, RegisterView::Qword, pair, &by, None));
            }
        }
        words
    }

    fn load_bits(&mut self, from: MemoryOperand, bytes: u8) -> VReg {
        let (code, view) = match bytes {
            8 => (Code::Mov_r64_rm64, RegisterView::Qword),
            _ => (Code::Mov_r32_rm32, RegisterView::Dword),
        };
        self.def(code, INT, view, &[InstOperand::Mem(from)])
    }

    /// A lane of a value in the room.
    fn spilled_lane(&mut self, start: u32, elem: Elem, lane: VReg) -> VReg {
        let bytes = lane_bytes(elem);
        let index = Some((lane, RegisterView::Qword, bytes));
        self.load_bits(MemoryOperand { index, ..MemoryOperand::at(MemoryBase::Room, start as i32) }, bytes)
    }

    pub(super) fn lane_memory(&mut self, places: &LanePlaces, lane: VReg) -> MemoryOperand {
        let offset = match places.step {
            LaneStep::None => return places.base,
            LaneStep::Constant(step) => match i32::try_from(step) {
                Ok(step) => {
                    let sources = [qword(lane), InstOperand::Signed32(step)];
                    self.def(Code::Imul_r64_rm64_imm32, INT, RegisterView::Qword, &sources)
                }
                Err(_) => {
                    let step = self.number(step as u64);
                    self.def_over(Code::Imul_r64_rm64, RegisterView::Qword, step, &[qword(lane)], None)
                }
            },
            // 32-bit offsets are zero-extended.
            LaneStep::Spilled { start, wide } => {
                self.spilled_lane(start, if wide { Elem::I64 } else { Elem::I32 }, lane)
            }
        };
        MemoryOperand { index: Some((offset, RegisterView::Qword, 1)), ..places.base }
    }

    /// Results for each lane, zero so far.
    pub(super) fn clear_results(&mut self, elem: Elem, width: u32) -> LaneResults {
        self.reserve(RESULTS + LANES);
        let length = self.machine.part_length(elem, width);
        let zero = self.zero();
        for part in 0..self.machine.part_count(elem, width) as u32 {
            let to = InstOperand::Mem(MemoryOperand::room(RESULTS + part * length.bytes()));
            let code = at_length(Code::EVEX_Vmovups_xmmm128_k1z_xmm, length);
            self.effect(code, &[to, vector(zero, length)], None);
        }
        LaneResults { elem, width }
    }

    /// Stores the bits of a lane's result.
    pub(super) fn store_result(&mut self, results: &LaneResults, lane: VReg, bits: VReg) {
        let bytes = lane_bytes(results.elem);
        let index = Some((lane, RegisterView::Qword, bytes));
        let to = MemoryOperand { index, ..MemoryOperand::at(MemoryBase::Room, RESULTS as i32) };
        self.store_raw(to, bytes.into(), bits);
    }

    /// The results of all lanes.
    pub(super) fn read_results(&mut self, results: &LaneResults) -> WideValue {
        let length = self.machine.part_length(results.elem, results.width);
        let mut parts = Parts::new();
        for part in 0..self.machine.part_count(results.elem, results.width) as u32 {
            let from = InstOperand::Mem(MemoryOperand::room(RESULTS + part * length.bytes()));
            let code = at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length);
            let register = self.def(code, VECTOR, RegisterView::Vector(length), &[from]);
            parts.push(vector(register, length));
        }
        WideValue { elem: results.elem, width: results.width, parts, constant: None }
    }
}
