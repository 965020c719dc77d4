//! Scalars as lanes, and the other way round.

use iced_x86::Code;
use regalloc2::VReg;

use super::vcode::{INT, RegisterView, VECTOR, VectorLength};
use super::vectors::{Parts, WideValue, is_float, is_wide};
use super::writer::{CodeWriter, InstOperand, at_length, dword, qword, vector};
use crate::lanes::Elem;

impl CodeWriter {
    /// Lanes that count: the first, and each a step further.
    pub(super) fn counted_lanes(&mut self, width: u32, first: i32, step: i32) -> WideValue {
        let lanes = self.machine.part_lanes(Elem::I32, width);
        let mut parts = Parts::new();
        for part in 0..self.machine.part_count(Elem::I32, width) as u32 {
            let number = |lane: u32| first.wrapping_add(step.wrapping_mul((part * lanes + lane) as i32));
            let bytes: Vec<u8> = (0..lanes.max(4)).flat_map(|lane| number(lane).to_le_bytes()).collect();
            parts.push(InstOperand::Pool(self.constant(&bytes), false));
        }
        WideValue { elem: Elem::I32, width, parts, constant: None }
    }

    /// A scalar in a register in every lane.
    pub(super) fn repeat_scalar(&mut self, elem: Elem, width: u32, register: VReg) -> WideValue {
        if is_float(elem) {
            return self.repeat(elem, width, register);
        }
        let length = self.machine.part_length(elem, width);
        if !self.machine.has_masks {
            let lane = self.scalar_as_lanes(elem, register);
            let lane = self.in_register(&lane, 0);
            return self.repeat(elem, width, lane);
        }
        let (code, source) = if is_wide(elem) {
            (Code::EVEX_Vpbroadcastq_xmm_k1z_r64, qword(register))
        } else {
            (Code::EVEX_Vpbroadcastd_xmm_k1z_r32, dword(register))
        };
        let code = at_length(code, length);
        let all = self.def(code, VECTOR, RegisterView::Vector(length), &[source]);
        WideValue::of(elem, width, std::iter::repeat_n(all, self.machine.part_count(elem, width)))
    }

    /// A scalar in a register as lanes of width 1.
    pub(super) fn scalar_as_lanes(&mut self, elem: Elem, register: VReg) -> WideValue {
        let view = RegisterView::Vector(VectorLength::X);
        let lane = match elem {
            Elem::F32 | Elem::F64 => register,
            Elem::I32 => self.def(Code::EVEX_Vmovd_xmm_rm32, VECTOR, view, &[dword(register)]),
            Elem::I64 => self.def(Code::EVEX_Vmovq_xmm_rm64, VECTOR, view, &[qword(register)]),
            Elem::Bool => self.mask_of_scalar(register),
        };
        WideValue::of(elem, 1, [lane])
    }

    /// Lanes of width 1 as a scalar.
    pub(super) fn lanes_as_scalar(&mut self, lanes: &WideValue) -> VReg {
        let lane = self.in_register(lanes, 0);
        let source = [vector(lane, VectorLength::X)];
        match lanes.elem {
            Elem::F32 | Elem::F64 => lane,
            Elem::I32 => self.def(Code::EVEX_Vmovd_rm32_xmm, INT, RegisterView::Dword, &source),
            Elem::I64 => self.def(Code::EVEX_Vmovq_rm64_xmm, INT, RegisterView::Qword, &source),
            Elem::Bool => self.scalar_of_mask(lane),
        }
    }
}
