//! Gathers and scatters: lanes at a step, or at offsets of their own.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, WideLowering};
use super::machine::WideMachine;
use super::vcode::{MASK, RegisterView, VectorLength};
use super::vectors::{WideValue, is_wide};
use super::writer::{CodeWriter, MemoryOperand, at_length, dword, vector};
use crate::lanes::{AddressStep, Elem, LaneAddress};
use tilewise_ir::fault::{self, Fault};

/// Does a step per lane fit the 32-bit indices of gathers?
fn fits_index(step: i64) -> Option<i32> {
    i32::try_from(step).ok().filter(|step| step.unsigned_abs() < 1 << 24)
}

impl WideLowering<'_> {
    /// Byte offsets of the lanes as a gather takes them: `i32` or `i64` lanes. `None` if steps do
    /// not fit.
    pub(super) fn offsets(&mut self, at: &LaneAddress) -> Lowered<Option<WideValue>> {
        match at.along {
            AddressStep::Each(offsets) => {
                let offsets = self.lanes(offsets)?;
                Ok(Some(self.code.loaded(&offsets)))
            }
            AddressStep::Step(step) => match fits_index(step) {
                Some(step) => Ok(Some(self.row(0, step))),
                None => Ok(None),
            },
            AddressStep::Uniform => Ok(None),
        }
    }

    /// Elements of 32 or 64 bits at offsets from an address.
    pub(super) fn gather(
        &mut self,
        at: &LaneAddress,
        offsets: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<WideValue> {
        // Offsets of steps may be negative; loads extend offsets of 32 bits by zeros.
        let steps = matches!(at.along, AddressStep::Step(_));
        if self.loads_lanes() && !(steps && set.is_some()) {
            return self.load_lanes(at, offsets, set);
        }
        let place = self.pointer(at)?;
        Ok(self.gather_from(place, Elem::of(at.stored.value()), offsets, set))
    }

    /// Elements at offsets from a place.
    pub(super) fn gather_from(
        &mut self,
        place: MemoryOperand,
        elem: Elem,
        offsets: &WideValue,
        set: Option<&WideValue>,
    ) -> WideValue {
        let width = offsets.width;
        let shape = GatherShape::of(elem, offsets.elem, width, self.code.machine);
        let code = match (is_wide(offsets.elem), is_wide(elem)) {
            (false, false) => Code::EVEX_Vgatherdps_xmm_k1_vm32x,
            (false, true) => Code::EVEX_Vgatherdpd_xmm_k1_vm32x,
            (true, false) => Code::EVEX_Vgatherqps_xmm_k1_vm64x,
            (true, true) => Code::EVEX_Vgatherqpd_xmm_k1_vm64x,
        };
        let mut registers: SmallVec<[VReg; 8]> = SmallVec::new();
        for part in 0..shape.parts {
            let index = self.code.gather_index(offsets, &shape, part);
            let lanes = self.code.gather_mask(set, elem, &shape, part);
            let from = MemoryOperand { index: Some((index, RegisterView::Vector(shape.index), 1)), ..place };
            let zero = self.code.zero();
            registers.push(self.code.gather(at_length(code, shape.steps), shape.value, zero, from, lanes));
        }
        self.code.gathered(elem, width, &shape, &registers)
    }

    pub(super) fn scatter(
        &mut self,
        at: &LaneAddress,
        offsets: &WideValue,
        lanes: &WideValue,
        set: Option<&WideValue>,
    ) -> Lowered<()> {
        let place = self.pointer(at)?;
        self.code.scatter_to(place, offsets, lanes, set);
        Ok(())
    }
}

impl CodeWriter {
    /// Elements of 32 or 64 bits to offsets from a place.
    pub(super) fn scatter_to(
        &mut self,
        place: MemoryOperand,
        offsets: &WideValue,
        lanes: &WideValue,
        set: Option<&WideValue>,
    ) {
        let shape = GatherShape::of(lanes.elem, offsets.elem, lanes.width, self.machine);
        let code = match (is_wide(offsets.elem), is_wide(lanes.elem)) {
            (false, false) => Code::EVEX_Vscatterdps_vm32x_k1_xmm,
            (false, true) => Code::EVEX_Vscatterdpd_vm32x_k1_xmm,
            (true, false) => Code::EVEX_Vscatterqps_vm64x_k1_xmm,
            (true, true) => Code::EVEX_Vscatterqpd_vm64x_k1_xmm,
        };
        for part in 0..shape.parts {
            let index = self.gather_index(offsets, &shape, part);
            let of = fault::choose(Fault::ScatterMaskOfFirst, part, 0);
            let chosen = self.gather_mask(set, lanes.elem, &shape, of);
            let to = MemoryOperand { index: Some((index, RegisterView::Vector(shape.index), 1)), ..place };
            let value = self.piece(lanes, part, shape.lanes);
            self.scatter(at_length(code, shape.steps), vector(value, shape.value), to, chosen);
        }
    }
}

/// How lanes are divided among gathers or scatters.
struct GatherShape {
    /// The number of instructions.
    parts: usize,
    /// The lanes that each moves.
    lanes: u32,
    /// The length that names the encoding: that of the longer of index and value.
    steps: VectorLength,
    /// The length of the index.
    index: VectorLength,
    /// The length of the value.
    value: VectorLength,
}

impl GatherShape {
    fn of(value: Elem, index: Elem, width: u32, machine: WideMachine) -> GatherShape {
        let longest = |elem: Elem| if is_wide(elem) { 8 } else { 4 };
        let lanes = width.min(machine.longest.bytes() / longest(value).max(longest(index)));
        let length = |elem: Elem| VectorLength::of_bytes(lanes * longest(elem));
        GatherShape {
            parts: (width / lanes) as usize,
            lanes,
            steps: length(value).max(length(index)),
            index: length(index),
            value: length(value),
        }
    }
}

impl CodeWriter {
    /// Lanes `part * lanes` and following of a value, at the beginning of a register.
    fn piece(&mut self, value: &WideValue, part: usize, lanes: u32) -> VReg {
        if self.machine.part_lanes(value.elem, value.width) == lanes {
            return self.in_register(value, part);
        }
        debug_assert!(!is_wide(value.elem), "lanes of 64 bits are never more than others");
        self.half(value, part)
    }

    fn gather_index(&mut self, offsets: &WideValue, shape: &GatherShape, part: usize) -> VReg {
        self.piece(offsets, part, shape.lanes)
    }

    /// The mask of one gather or scatter.
    fn gather_mask(&mut self, set: Option<&WideValue>, elem: Elem, shape: &GatherShape, part: usize) -> VReg {
        if !self.machine.has_masks {
            return match set {
                None => self.all_ones(shape.value),
                Some(set) if is_wide(elem) => self.mask_part(set, elem, part),
                Some(set) if shape.lanes == 4 => self.half_of_mask(set, part),
                Some(set) => self.in_register(set, part),
            };
        }
        match set {
            None if shape.lanes == 16 => self.def_of_itself(Code::VEX_Kxnorw_kr_kr_kr, MASK, RegisterView::Mask),
            None => {
                let bits = self.number((1 << shape.lanes) - 1);
                self.def(Code::VEX_Kmovw_kr_r32, MASK, RegisterView::Mask, &[dword(bits)])
            }
            Some(set) if shape.lanes == 8 && set.width > 8 => self.mask_part(set, Elem::I64, part),
            Some(set) => self.in_register(set, part),
        }
    }

    /// The value of gathers: halves are joined.
    fn gathered(&mut self, elem: Elem, width: u32, shape: &GatherShape, registers: &[VReg]) -> WideValue {
        debug_assert!(registers.len() == shape.parts, "one register of each gather");
        self.joined(elem, width, registers)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::emit::CodeForm;

    #[test]
    fn gathers_move_as_many_lanes_as_index_and_value_allow() {
        let shape = |value, index, width| {
            let machine = WideMachine::of(CodeForm::Avx512).expect("AVX-512 is wide code");
            let shape = GatherShape::of(value, index, width, machine);
            (shape.parts, shape.lanes, shape.steps)
        };
        assert_eq!(shape(Elem::F32, Elem::I32, 16), (1, 16, VectorLength::Z));
        assert_eq!(shape(Elem::F32, Elem::I64, 16), (2, 8, VectorLength::Z));
        assert_eq!(shape(Elem::F64, Elem::I32, 16), (2, 8, VectorLength::Z));
        assert_eq!(shape(Elem::F32, Elem::I32, 4), (1, 4, VectorLength::X));
        assert_eq!(shape(Elem::F64, Elem::I64, 64), (8, 8, VectorLength::Z));
        assert_eq!(fits_index(1 << 30), None);
    }
}
