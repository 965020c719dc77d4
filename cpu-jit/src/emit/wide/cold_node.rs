//! Nodes without wide code: each becomes a cold block of one node, which Cranelift compiles when it
//! first runs.
//!
//! The values that it uses and defines are passed in a frame in the function's room, whose layout
//! ([`layout`]) is the bytes of vectors, lowest lanes first; a mask is lanes of 32 bits.
//!
//! The call goes through a thunk that preserves all registers, so that code around it keeps its
//! values in them.

use std::sync::Arc;

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, LoweredValue, WideLowering};
use super::vcode::{Condition, INT, RegisterView, VECTOR, VectorLength};
use super::vectors::WideValue;
use super::writer::{InstOperand, MemoryOperand, at_length, qword, vector};
use crate::emit::cold_block::{ColdBlock, layout, run_aside};
use crate::emit::{LaneCost, Slow};
use crate::lanes::{Elem, ExitStatus, LaneBlock, LaneInst, LaneProgram, LaneType, LaneValue, Node, operands};

/// The most lanes that Cranelift compiles. Longer values are passed in parts.
const MOST_LANES: u32 = 16;

impl<'p> WideLowering<'p> {
    /// An instruction that is left to Cranelift: an operation on each lane by itself, or on
    /// scalars.
    pub(super) fn cold_value(&mut self, value: LaneValue, inst: &'p LaneInst) -> Lowered<LoweredValue> {
        let ty = self.ty(value);
        if let LaneInst::Op { op, scalar, .. } = inst
            && ty.is_lanes()
        {
            self.slow.push(Slow { pos: self.code.pos, op: (*op, *scalar), pace: LaneCost::Calls });
        }
        let mut params = Vec::new();
        operands(inst, &mut |&operand| params.push(operand));
        params.sort_unstable();
        params.dedup();
        let around = match &self.around {
            Some(around) => Arc::clone(around),
            None => {
                let width = self.width().min(MOST_LANES);
                let around = Arc::new(LaneProgram { width, ..self.program.without_body() });
                Arc::clone(self.around.insert(around))
            }
        };
        let (starts, size) = layout(&around, &params);
        let (result_starts, result_size) = layout(&around, &[value]);
        self.code.reserve(size.max(result_size));
        let node = Node::Let { value, inst: inst.clone(), pos: self.code.pos };
        let body = LaneBlock { nodes: vec![node], results: vec![value] };
        let block = ColdBlock::new(around, body, params.clone());
        let address = Arc::as_ptr(&block).expose_provenance() as u64;
        self.cold_blocks.push(block);
        let slices = if ty.is_lanes() { self.width().div_ceil(MOST_LANES) } else { 1 };
        let mut registers: SmallVec<[VReg; 8]> = SmallVec::new();
        for slice in 0..slices {
            for (&param, &start) in params.iter().zip(&starts) {
                self.pass(param, start, slice)?;
            }
            self.call_cold_block(address);
            self.take(ty, result_starts[0], &mut registers);
        }
        Ok(self.of_registers(ty, &registers))
    }

    /// Calls a cold block, and leaves the program if it says so.
    fn call_cold_block(&mut self, block: u64) {
        let block = self.code.number(block);
        let frame = self.code.address(MemoryOperand::room(0));
        let host = self.host();
        let function = self.code.number(run_aside as *const () as usize as u64);
        self.call(function, &[block, frame, self.words, self.arena, host]);
        let status = self.load_qword(MemoryOperand::room(0));
        self.code.effect(Code::Test_rm64_r64, &[qword(status), qword(status)], None);
        debug_assert_eq!(ExitStatus::Done as i64, 0, "the status that goes on");
        let (leave, on) = (self.code.block(), self.code.block());
        self.code.branch(Condition::NotEqual, leave, on);
        self.code.seldom(|code| {
            code.begin(leave);
            code.ret(status);
        });
        self.code.begin(on);
    }

    /// Writes an argument to the frame: of lanes those of a slice.
    fn pass(&mut self, value: LaneValue, start: u32, slice: u32) -> Lowered<()> {
        if let LaneType::Lanes(elem) = self.ty(value) {
            let lanes = self.lanes(value)?;
            let width = self.width().min(MOST_LANES);
            let count = self.code.machine.part_count(if elem == Elem::Bool { Elem::I32 } else { elem }, width);
            let parts = lanes.parts.iter().copied().skip(count * slice as usize).take(count).collect();
            self.code.spill(&WideValue { width, parts, ..lanes }, start);
            return Ok(());
        }
        let register = self.scalar(value)?;
        let to = InstOperand::Mem(MemoryOperand::room(start));
        let float = vector(register, VectorLength::X);
        match self.ty(value).elem() {
            Elem::F32 => self.code.effect(Code::EVEX_Vmovss_m32_k1_xmm, &[to, float], None),
            Elem::F64 => self.code.effect(Code::EVEX_Vmovsd_m64_k1_xmm, &[to, float], None),
            Elem::Bool | Elem::I32 | Elem::I64 => {
                self.code.effect(Code::Mov_rm64_r64, &[to, qword(register)], None);
            }
        }
        Ok(())
    }

    /// Reads a result, or a slice of one, from the frame.
    fn take(&mut self, ty: LaneType, start: u32, registers: &mut SmallVec<[VReg; 8]>) {
        let LaneType::Lanes(elem) = ty else {
            let from = MemoryOperand::room(start);
            registers.push(match ty.elem() {
                Elem::Bool => {
                    let byte = [InstOperand::Mem(from)];
                    self.code.def(Code::Movzx_r32_rm8, INT, RegisterView::Dword, &byte)
                }
                elem => self.load_word(elem, from),
            });
            return;
        };
        let width = self.width().min(MOST_LANES);
        let stored = if elem == Elem::Bool { Elem::I32 } else { elem };
        let length = self.code.machine.part_length(stored, width);
        for part in 0..self.code.machine.part_count(stored, width) as u32 {
            let from = InstOperand::Mem(MemoryOperand::room(start + part * length.bytes()));
            let code = at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length);
            let whole = self.code.def(code, VECTOR, RegisterView::Vector(length), &[from]);
            registers.push(match elem {
                Elem::Bool => self.code.mask_of_words(whole, length),
                _ => whole,
            });
        }
    }
}
