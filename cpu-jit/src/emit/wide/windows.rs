//! Gathers whose lanes lie within one vector of memory: a window that begins at the first lane.
//!
//! A gather takes an access for each lane. Where indices grow slowly, as those of a sampled texture
//! do, the lanes of a vector lie in as many elements or fewer; one load and one permutation fetch
//! them. Whether they do is tested for all vectors of a value at once: no lane lies before the first
//! or behind the last, and the last lies in the window. If so, the load takes the elements from the
//! first lane to the last, which are memory of one allocation, since both lanes are; a mask keeps it
//! from what lies behind. Otherwise, and where a lane is masked off, the lanes are gathered.
//!
//! [`near_offsets`](crate::lanes::near_offsets) says for which accesses it is worth the test.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, WideLowering};
use super::vcode::{Condition, INT, RegisterView, VECTOR, VectorLength};
use super::vectors::{IntOrder, WideValue, is_wide};
use super::writer::{CodeWriter, InstOperand, Masking, MemoryOperand, at_length, dword, vector};
use crate::lanes::{AddressStep, Elem, LaneAddress};

/// The lanes of a value beside the first of each vector.
struct WindowPlaces {
    /// Bytes behind the first lane.
    behind: WideValue,
    /// Those of the last lane, in every lane.
    last: WideValue,
}

impl WideLowering<'_> {
    /// Is it worth to test whether lanes lie in windows? Vectors are of full length.
    pub(super) fn may_be_near(&self, at: &LaneAddress) -> bool {
        let AddressStep::Each(offsets) = at.along else { return false };
        let machine = self.code.machine;
        let elem = Elem::of(at.stored.value());
        at.stored.size() == 4
            && !is_wide(elem)
            && machine.part_length(elem, self.width()) == machine.longest
            && self.near.contains(&offsets)
    }

    /// Elements of 32 bits at 32-bit offsets: from windows if they lie in such, else gathered.
    pub(super) fn gather_near(
        &mut self,
        at: &LaneAddress,
        offsets: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<WideValue> {
        let place = self.pointer(at)?;
        let elem = Elem::of(at.stored.value());
        let (windows, gathers, join) = (self.code.block(), self.code.block(), self.code.block());
        let places = self.code.window_places(offsets);
        let condition = self.code.lie_in_windows(&places, set);
        self.code.branch(condition, windows, gathers);
        self.code.begin(windows);
        let lanes = self.code.load_windows(place, elem, offsets, &places);
        let arguments = self.code.registers(&lanes).to_vec();
        self.code.jump(join, arguments);
        self.code.begin(gathers);
        let lanes = match self.loads_lanes() {
            true => self.load_lanes_from(place, elem, offsets, set),
            false => self.gather_from(place, elem, offsets, set),
        };
        let arguments = self.code.registers(&lanes).to_vec();
        self.code.jump(join, arguments);
        self.code.begin(join);
        let registers: SmallVec<[VReg; 4]> = lanes.parts.iter().map(|_| self.code.param(join, VECTOR)).collect();
        Ok(WideValue::of(elem, offsets.width, registers))
    }
}

impl CodeWriter {
    /// Where lanes lie.
    fn window_places(&mut self, offsets: &WideValue) -> WindowPlaces {
        let length = offsets.length();
        let last_lane = self.machine.part_lanes(Elem::I32, offsets.width) - 1;
        let number: Vec<u8> = (0..=last_lane).flat_map(|_| last_lane.to_le_bytes()).collect();
        let number = InstOperand::Pool(self.constant(&number), false);
        let number = self.whole(length, number);
        let (mut firsts, mut lasts): (SmallVec<[VReg; 4]>, SmallVec<[VReg; 4]>) = (SmallVec::new(), SmallVec::new());
        for part in 0..offsets.parts.len() {
            let register = self.in_register(offsets, part);
            let source = [vector(register, VectorLength::X)];
            let code = self.repeat_code(Elem::I32, length);
            firsts.push(self.def(code, VECTOR, RegisterView::Vector(length), &source));
            lasts.push(self.permuted_by(number, register, length));
        }
        let first = WideValue::of(Elem::I32, offsets.width, firsts);
        let last = WideValue::of(Elem::I32, offsets.width, lasts);
        let behind = self.isub(offsets, &first);
        WindowPlaces { behind, last: self.isub(&last, &first) }
    }

    /// Elements of a vector by numbers.
    fn permuted_by(&mut self, numbers: VReg, elements: VReg, length: VectorLength) -> VReg {
        let code = match length {
            VectorLength::Z => Code::EVEX_Vpermd_zmm_k1z_zmm_zmmm512b32,
            VectorLength::X | VectorLength::Y => Code::VEX_Vpermd_ymm_ymm_ymmm256,
        };
        let sources = [vector(numbers, length), vector(elements, length)];
        self.def(code, VECTOR, RegisterView::Vector(length), &sources)
    }

    /// Sets the flags; the condition holds if all lanes are set and lie in windows.
    fn lie_in_windows(&mut self, places: &WindowPlaces, set: Option<&WideValue>) -> Condition {
        let most = self.bits(&places.last, u64::from(places.last.length().bytes()) - 4);
        // The last lane itself is one of those that are compared.
        let most = self.extreme(&places.last, &most, false, false);
        let mut inside = self.compare_ints(IntOrder::LessEqual, false, &places.behind, &most);
        if let Some(set) = set {
            inside = self.mask_and(&inside, set);
        }
        self.all(&inside)
    }

    /// The lanes of each vector, from its window.
    fn load_windows(
        &mut self,
        place: MemoryOperand,
        elem: Elem,
        offsets: &WideValue,
        places: &WindowPlaces,
    ) -> WideValue {
        let length = offsets.length();
        let width = self.machine.part_lanes(Elem::I32, offsets.width);
        let elements = self.counted_lanes(width, 0, 4);
        let numbers = self.down(&places.behind, 2);
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        for part in 0..offsets.parts.len() {
            let last = self.in_register(&places.last, part);
            let last = WideValue::of(Elem::I32, width, [last]);
            let wanted = self.compare_ints(IntOrder::LessEqual, false, &elements, &last);
            let wanted = self.in_register(&wanted, 0);
            let lowest = self.in_register(offsets, part);
            let source = [vector(lowest, VectorLength::X)];
            let first = self.def(Code::EVEX_Vmovd_rm32_xmm, INT, RegisterView::Dword, &source);
            let first = self.def(Code::Movsxd_r64_rm32, INT, RegisterView::Qword, &[dword(first)]);
            let from = InstOperand::Mem(MemoryOperand { index: Some((first, RegisterView::Qword, 1)), ..place });
            let view = RegisterView::Vector(length);
            let window = if self.machine.has_masks {
                let code = at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length);
                self.def_masked(code, VECTOR, view, &[from], Masking::Zero(wanted))
            } else {
                let code = at_length(Code::VEX_Vmaskmovps_xmm_xmm_m128, length);
                self.def(code, VECTOR, view, &[vector(wanted, length), from])
            };
            let number = self.in_register(&numbers, part);
            registers.push(self.permuted_by(number, window, length));
        }
        WideValue::of(elem, offsets.width, registers)
    }
}
