//! Lanes a small constant step apart: a field of structs in a row, a column of short rows, a row
//! backwards.
//!
//! A gather takes one access for each lane. Lanes that lie close together are all in a few whole
//! vectors of memory: these are loaded, and their elements moved to their lanes; or lanes are moved
//! to their places in such vectors and stored under constant masks. All bytes from the lowest lane
//! to the highest are memory of one allocation, since both lanes are, so loads may take what lies
//! between. The last vector ends with the highest lane: nothing behind it is touched.
//!
//! Narrow elements, which no gather takes, are gathered as the aligned words that they lie in
//! ([`gather_narrow`](WideLowering::gather_narrow)): a word is in one page, so reading the bytes
//! beside the element cannot fault.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;
use tilewise_ir::fault::{self, Fault};
use tilewise_ir::types::Stored;

use super::lower::{Lowered, WideLowering};
use super::vcode::{MASK, RegisterView, VECTOR, VectorLength};
use super::vectors::{WideValue, is_wide, sized};
use super::writer::{CodeWriter, InstOperand, MemoryOperand, at_length, dword, vector};
use crate::lanes::{AddressStep, Elem, LaneAddress};

/// Where the lanes of one vector lie in whole vectors of memory. Elements are counted from the
/// lowest lane.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct StridedVector {
    /// The first element of each vector of memory.
    starts: SmallVec<[u32; 8]>,
    /// For each lane, the vector of memory and the element in it.
    pub(super) places: SmallVec<[(usize, u32); 16]>,
}

impl StridedVector {
    /// So many lanes, each a number of elements behind the one before: not zero, and smaller than
    /// the number of lanes.
    fn of(step: i32, lanes: u32) -> StridedVector {
        let (apart, last) = (step.unsigned_abs(), lanes - 1);
        let count = (last * apart + 1).div_ceil(lanes);
        let starts: SmallVec<[u32; 8]> = (0..count).map(|at| (at * lanes).min(last * apart + 1 - lanes)).collect();
        let early = u32::from(fault::planted(Fault::StrideLastVector));
        let place = |lane: u32| {
            let element = apart * if step < 0 { last - lane } else { lane };
            let at = (element / lanes) as usize;
            (at, (element - starts[at]).saturating_sub(early * at as u32))
        };
        let places = (0..lanes).map(place).collect();
        StridedVector { starts, places }
    }

    /// The lanes of one of `count` values that take turns in as many vectors.
    pub(super) fn every(count: u32, value: u32, lanes: u32) -> StridedVector {
        let place = |lane: u32| ((lane * count + value) / lanes, (lane * count + value) % lanes);
        let places = (0..lanes).map(place).map(|(at, element)| (at as usize, element)).collect();
        StridedVector { starts: (0..count).map(|at| at * lanes).collect(), places }
    }

    /// One of the vectors in which `count` values take turns: its lanes by value and lane.
    pub(super) fn turns(count: u32, row: u32, lanes: u32) -> StridedVector {
        let place = |lane: u32| ((row * lanes + lane) % count, (row * lanes + lane) / count);
        let places = (0..lanes).map(place).map(|(value, lane)| (value as usize, lane)).collect();
        StridedVector { starts: (0..count).map(|at| at * lanes).collect(), places }
    }
}

impl WideLowering<'_> {
    /// The step of an address in elements, if whole vectors pay off: two to a gather's or scatter's
    /// lanes. AVX2 moves the elements of its longest vectors only.
    pub(super) fn small_step(&self, at: &LaneAddress) -> Option<i32> {
        let AddressStep::Step(bytes) = at.along else { return None };
        let size = i64::from(at.stored.size());
        let machine = self.code.machine;
        let elem = Elem::of(at.stored.value());
        let lanes = machine.part_lanes(elem, self.width());
        let long_enough = machine.has_masks || machine.part_length(elem, self.width()) == machine.longest;
        let step = i32::try_from(bytes / size).ok().filter(|_| bytes % size == 0)?;
        let pays = step != 0 && step.unsigned_abs() <= lanes / 2;
        (size >= 4 && long_enough && pays && self.width() > 1).then_some(step)
    }

    /// Loads lanes a small step apart, without a mask.
    pub(super) fn load_strided(&mut self, at: &LaneAddress, step: i32) -> Lowered<WideValue> {
        let (elem, width) = (Elem::of(at.stored.value()), self.width());
        let lanes = self.code.machine.part_lanes(elem, width);
        let vector = StridedVector::of(step, lanes);
        let first = self.memory(at, 0)?;
        let mut registers: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..self.code.machine.part_count(elem, width) as u32 {
            let from = self.code.lowest_lane_at(first, at.stored, step, part * lanes, lanes);
            registers.push(self.code.load_part(elem, &vector, from));
        }
        Ok(WideValue::of(elem, width, registers))
    }

    /// Can lanes a step apart be stored as whole vectors? AVX2 has no masks that cost little
    /// everywhere, so there it must be a row backwards.
    pub(super) fn stores_strided(&self, step: i32) -> bool {
        self.code.machine.has_masks || step == -1
    }

    /// Stores lanes a small step apart, without a mask.
    pub(super) fn store_strided(&mut self, at: &LaneAddress, step: i32, value: &WideValue) -> Lowered<()> {
        let lanes = self.code.machine.part_lanes(value.elem, value.width);
        let vector = StridedVector::of(step, lanes);
        let first = self.memory(at, 0)?;
        for part in 0..value.parts.len() {
            let to = self.code.lowest_lane_at(first, at.stored, step, part as u32 * lanes, lanes);
            let register = self.code.in_register(value, part);
            self.code.store_part(value.elem, &vector, to, register);
        }
        Ok(())
    }

    /// Gathers elements of one or two bytes: the words that they lie in, of which the rest is
    /// shifted out. Offsets are 32-bit lanes.
    pub(super) fn gather_narrow(
        &mut self,
        at: &LaneAddress,
        offsets: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<WideValue> {
        let place = self.pointer(at)?;
        let code = &mut self.code;
        let start = code.address(place);
        let offsets = code.loaded(offsets);
        let start = code.repeat_scalar(Elem::I32, offsets.width, start);
        let end = code.iadd(&start, &offsets);
        let within = code.bits(&end, 3);
        let mut within = code.and(&end, &within);
        if at.stored.size() == 2 {
            // Of an element that begins with the last byte of a word, the bytes are the upper half of
            // four that begin in that word, so that they too end with the element.
            let one = code.bits(&within, 1);
            let is_last = code.iadd(&within, &one);
            let is_last = code.down(&is_last, 2);
            within = code.isub(&within, &is_last);
        }
        let words = code.isub(&offsets, &within);
        let words = self.gather_from(place, Elem::I32, &words, set);
        let code = &mut self.code;
        let bits = code.up(&within, 3);
        let raw = code.binary(Code::EVEX_Vpsrlvd_xmm_k1z_xmm_xmmm128b32, &words, &bits);
        let raw = match at.stored {
            Stored::U8 | Stored::Bool | Stored::U16 | Stored::F16
                if !(fault::planted(Fault::BytesSigned) && at.stored == Stored::U8) =>
            {
                let mask = code.bits(&raw, (1 << (8 * at.stored.size())) - 1);
                code.and(&raw, &mask)
            }
            _ => {
                let above = 32 - 8 * at.stored.size();
                let raised = code.up(&raw, above);
                code.down_signed(&raised, above)
            }
        };
        Ok(code.meant_by(at.stored, raw))
    }
}

impl CodeWriter {
    /// The memory of the lowest of `lanes` lanes from a lane on.
    fn lowest_lane_at(
        &mut self,
        first: MemoryOperand,
        stored: Stored,
        step: i32,
        lane: u32,
        lanes: u32,
    ) -> MemoryOperand {
        let lowest = if step < 0 && !fault::planted(Fault::FallingStep) { lane + lanes - 1 } else { lane };
        self.further(first, i64::from(step) * i64::from(lowest) * i64::from(stored.size()))
    }

    /// One vector of lanes from the vectors of memory that they lie in.
    fn load_part(&mut self, elem: Elem, strided: &StridedVector, from: MemoryOperand) -> VReg {
        let lanes = strided.places.len() as u32;
        let size = if is_wide(elem) { 8 } else { 4 };
        let length = VectorLength::of_bytes(lanes * size);
        let mut result = None;
        for (at, &start) in strided.starts.iter().enumerate() {
            let memory = InstOperand::Mem(self.further(from, i64::from(start * size)));
            let here = |lane: u32| strided.places[lane as usize];
            result = Some(match result {
                // Both elements of two vectors, and of the one so far.
                Some(before) if self.machine.has_masks => {
                    let element = |lane| match here(lane) {
                        (vector, element) if vector == at => lanes + element,
                        (0, element) if at == 1 => element,
                        (_, _) => lane,
                    };
                    self.permuted_pair(elem, before, memory, lanes, &element)
                }
                None if self.machine.has_masks => {
                    let whole = self.whole(length, memory);
                    if strided.starts.len() > 1 {
                        whole
                    } else {
                        self.permuted_pair(elem, whole, vector(whole, length), lanes, &|lane| here(lane).1)
                    }
                }
                before => {
                    let moved = self.permuted_words(elem, memory, lanes, &|lane| here(lane).1);
                    before.map_or(moved, |before| {
                        let words_of = |lane: u32| if is_wide(elem) { 0b11 << (2 * lane) } else { 1 << lane };
                        let chosen: u8 = (0..lanes).filter(|&lane| here(lane).0 == at).map(words_of).sum();
                        let sources = [vector(before, length), vector(moved, length), InstOperand::Imm8(chosen)];
                        self.def(
                            Code::VEX_Vpblendd_ymm_ymm_ymmm256_imm8,
                            VECTOR,
                            RegisterView::Vector(length),
                            &sources,
                        )
                    })
                }
            });
        }
        result.unwrap_or_else(|| unreachable!("lanes lie somewhere"))
    }

    /// Stores one vector of lanes to the vectors of memory that they lie in.
    fn store_part(&mut self, elem: Elem, strided: &StridedVector, to: MemoryOperand, value: VReg) {
        let lanes = strided.places.len() as u32;
        let size = if is_wide(elem) { 8 } else { 4 };
        let length = VectorLength::of_bytes(lanes * size);
        let code = sized(elem, Code::EVEX_Vmovups_xmmm128_k1z_xmm, Code::EVEX_Vmovupd_xmmm128_k1z_xmm);
        for (at, &start) in strided.starts.iter().enumerate() {
            let lane_at = |element: u32| strided.places.iter().position(|&place| place == (at, element));
            let source = |element: u32| lane_at(element).unwrap_or(0) as u32;
            let moved = if self.machine.has_masks {
                self.permuted_pair(elem, value, vector(value, length), lanes, &source)
            } else {
                self.permuted_words(elem, vector(value, length), lanes, &source)
            };
            let memory = InstOperand::Mem(self.further(to, i64::from(start * size)));
            let set: u64 = (0..lanes).filter(|&element| lane_at(element).is_some()).map(|element| 1 << element).sum();
            let all = set == (1 << lanes) - 1;
            let set = (!all).then(|| {
                let bits = self.number(set);
                self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[dword(bits)])
            });
            self.effect(at_length(code, length), &[memory, vector(moved, length)], set);
        }
    }

    /// A whole vector of memory.
    pub(super) fn whole(&mut self, length: VectorLength, memory: InstOperand) -> VReg {
        let code = at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length);
        self.def(code, VECTOR, RegisterView::Vector(length), &[memory])
    }

    /// Elements of two vectors, by number: those of the second follow those of the first. Only with
    /// AVX-512.
    pub(super) fn permuted_pair(
        &mut self,
        elem: Elem,
        low: VReg,
        high: InstOperand,
        lanes: u32,
        element: &dyn Fn(u32) -> u32,
    ) -> VReg {
        let length = VectorLength::of_bytes(lanes * if is_wide(elem) { 8 } else { 4 });
        let number = |lane| match element(lane) {
            number if is_wide(elem) => u64::from(number).to_le_bytes().to_vec(),
            number => number.to_le_bytes().to_vec(),
        };
        let bytes: Vec<u8> = (0..lanes).flat_map(number).collect();
        let numbers = InstOperand::Pool(self.constant(&bytes), false);
        let numbers = self.whole(length, numbers);
        let dwords = Code::EVEX_Vpermt2d_xmm_k1z_xmm_xmmm128b32;
        let code = at_length(sized(elem, dwords, Code::EVEX_Vpermt2q_xmm_k1z_xmm_xmmm128b64), length);
        self.def_over(code, RegisterView::Vector(length), low, &[vector(numbers, length), high], None)
    }

    /// Elements of one vector of AVX2 by number.
    fn permuted_words(&mut self, elem: Elem, source: InstOperand, lanes: u32, element: &dyn Fn(u32) -> u32) -> VReg {
        let words = |lane| match element(lane) {
            number if is_wide(elem) => vec![2 * number, 2 * number + 1],
            number => vec![number],
        };
        let bytes: Vec<u8> = (0..lanes).flat_map(words).flat_map(u32::to_le_bytes).collect();
        let numbers = InstOperand::Pool(self.constant(&bytes), false);
        let length = VectorLength::Y;
        let numbers = self.whole(length, numbers);
        let sources = [vector(numbers, length), source];
        self.def(Code::VEX_Vpermd_ymm_ymm_ymmm256, VECTOR, RegisterView::Vector(length), &sources)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each lane is found where it lies, and no vector goes beyond the lanes.
    #[test]
    fn whole_vectors_hold_each_lane_once_and_end_with_the_highest() {
        for lanes in [2_u32, 4, 8, 16] {
            for step in (1..=lanes as i32 / 2).flat_map(|step| [step, -step]) {
                let strided = StridedVector::of(step, lanes);
                let highest = (lanes - 1) * step.unsigned_abs();
                assert!(strided.starts.iter().all(|start| start + lanes <= highest + 1), "{step} {lanes}");
                assert_eq!(strided.starts.len() as u32, step.unsigned_abs(), "{step} {lanes}");
                for (lane, &(at, element)) in (0..).zip(&strided.places) {
                    let from_lowest = if step < 0 { lanes - 1 - lane } else { lane } * step.unsigned_abs();
                    assert!(element < lanes);
                    assert_eq!(strided.starts[at] + element, from_lowest, "{step} {lanes}");
                }
            }
        }
    }
}
