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
use super::vcode::{Condition, INT, MASK, RegisterView, VECTOR, VectorLength};
use super::vectors::{WideValue, part_count, part_length};
use super::writer::{InstOperand, MemoryOperand, at_length, qword, vector};
use crate::emit::cold_block::{ColdBlock, layout, run_aside};
use crate::emit::{EmitError, LaneCost, Slow};
use crate::lanes::{
    Effect, Elem, ExitStatus, LaneBlock, LaneInst, LaneType, LaneValue, Node, effect_operands, operands,
};

/// The most lanes that Cranelift compiles.
const MOST_LANES: u32 = 16;

impl<'p> WideLowering<'p> {
    /// An instruction that is left to Cranelift.
    pub(super) fn cold_value(&mut self, value: LaneValue, inst: &'p LaneInst) -> Lowered<LoweredValue> {
        let mut params = Vec::new();
        operands(inst, &mut |&operand| params.push(operand));
        if let LaneInst::Op { op, scalar, .. } = inst
            && self.ty(value).is_lanes()
        {
            self.slow.push(Slow { pos: self.code.pos, op: (*op, *scalar), pace: LaneCost::Calls });
        }
        let node = Node::Let { value, inst: inst.clone(), pos: self.code.pos };
        let results = self.cold_node(node, params, &[value])?;
        results.into_iter().next().ok_or_else(|| EmitError("a cold node without its result".into()))
    }

    /// An effect that is left to Cranelift.
    pub(super) fn cold_effect(&mut self, node: &Node, effect: &Effect) -> Lowered<()> {
        let mut params = Vec::new();
        effect_operands(effect, &mut |&operand| params.push(operand));
        self.cold_node(node.clone(), params, &[]).map(|_| ())
    }

    fn cold_node(
        &mut self,
        node: Node,
        mut params: Vec<LaneValue>,
        results: &[LaneValue],
    ) -> Lowered<SmallVec<[LoweredValue; 1]>> {
        if self.width() > MOST_LANES {
            return Err(EmitError(format!("a node without wide code, and more than {MOST_LANES} lanes")));
        }
        params.sort_unstable();
        params.dedup();
        let (starts, size) = layout(self.program, &params);
        let (result_starts, result_size) = layout(self.program, results);
        self.code.reserve(size.max(result_size));
        for (&param, &start) in params.iter().zip(&starts) {
            self.pass(param, start)?;
        }
        let around = Arc::clone(self.around.get_or_insert_with(|| Arc::new(self.program.without_body())));
        let body = LaneBlock { nodes: vec![node], results: results.to_vec() };
        let block = ColdBlock::new(around, body, params);
        let address = Arc::as_ptr(&block).addr() as u64;
        self.cold_blocks.push(block);
        self.call_cold_block(address);
        Ok(results.iter().zip(&result_starts).map(|(&result, &start)| self.take(result, start)).collect())
    }

    /// Calls a cold block, and leaves the program if it says so.
    fn call_cold_block(&mut self, block: u64) {
        let block = self.code.number(block);
        let frame = self.code.address(MemoryOperand::room(0));
        let host = self.host();
        let function = self.code.number(run_aside as *const () as usize as u64);
        let thunk = self.code.number(self.thunk as u64);
        // The thunk calls the function in r11 with the arguments of a C function.
        let arguments = [(block, 7), (frame, 6), (self.words, 2), (self.arena, 1), (host, 8), (function, 11)];
        self.code.call(thunk, &arguments);
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

    /// Writes an argument to the frame.
    fn pass(&mut self, value: LaneValue, start: u32) -> Lowered<()> {
        if self.ty(value).is_lanes() {
            let lanes = self.lanes(value)?;
            self.code.spill(&lanes, start);
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

    /// Reads a result from the frame.
    fn take(&mut self, value: LaneValue, start: u32) -> LoweredValue {
        let ty = self.ty(value);
        let LaneType::Lanes(elem) = ty else {
            let from = MemoryOperand::room(start);
            if ty.elem() == Elem::Bool {
                let byte = [InstOperand::Mem(from)];
                return LoweredValue::Scalar(self.code.def(Code::Movzx_r32_rm8, INT, RegisterView::Dword, &byte));
            }
            return LoweredValue::Scalar(self.load_word(ty.elem(), from));
        };
        let width = self.width();
        let stored = if elem == Elem::Bool { Elem::I32 } else { elem };
        let length = part_length(stored, width);
        let mut registers: SmallVec<[VReg; 4]> = SmallVec::new();
        for part in 0..part_count(stored, width) as u32 {
            let from = InstOperand::Mem(MemoryOperand::room(start + part * length.bytes()));
            let code = at_length(Code::EVEX_Vmovups_xmm_k1z_xmmm128, length);
            let whole = self.code.def(code, VECTOR, RegisterView::Vector(length), &[from]);
            registers.push(match elem {
                Elem::Bool => {
                    let code = at_length(Code::EVEX_Vpmovd2m_kr_xmm, length);
                    self.code.def(code, MASK, RegisterView::Mask, &[vector(whole, length)])
                }
                _ => whole,
            });
        }
        LoweredValue::Lanes(WideValue::of(elem, width, registers))
    }
}
