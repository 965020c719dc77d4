//! Effects that call our functions, or move more than a register: messages, copies of aggregates,
//! clearing.

use iced_x86::Code;
use regalloc2::VReg;
use smallvec::SmallVec;

use super::lower::{Lowered, WideLowering};
use super::vcode::{Condition, INT, RegisterView, VECTOR, VectorLength};
use super::vectors::WideValue;
use super::writer::{CodeWriter, InstOperand, MemoryOperand, at_length, dword, qword, vector};
use crate::emit::HostCalls;
use crate::emit::copy::{ByteRun, clear_bytes, copy_runs, keep, runs};
use crate::lanes::{AddressStep, Elem, LaneAddress, LaneValue};

/// Copies with more moves per lane than this call a function.
const INLINE: usize = 12;

/// Clears with more bytes than this call a function.
const CLEARED_INLINE: u64 = 1024;

/// One move of a copy.
#[derive(Clone, Copy)]
struct ByteMove {
    to: i32,
    from: i32,
    bytes: u32,
}

impl WideLowering<'_> {
    /// Calls a function through the thunk, which preserves all registers.
    pub(super) fn call(&mut self, function: VReg, arguments: &[VReg]) {
        const PASSED: [usize; 5] = [7, 6, 2, 1, 8];
        let thunk = self.code.number(self.thunk as u64);
        let passed: SmallVec<[(VReg, usize); 6]> =
            arguments.iter().copied().zip(PASSED).chain([(function, 11)]).collect();
        self.code.call(thunk, &passed);
    }

    /// Passes the words of all lanes to the host, in the form of [`Tell`](crate::emit::Tell).
    pub(super) fn message(
        &mut self,
        message: u32,
        thread: LaneValue,
        values: &[LaneValue],
        set: LaneValue,
    ) -> Lowered<()> {
        let width = self.width();
        self.code.reserve(8 * width.max(8) * values.len().max(1) as u32);
        for (i, &value) in (0..).zip(values) {
            let words = if self.ty(value).is_lanes() {
                let lanes = self.lanes(value)?;
                self.code.lanes_as_words(&lanes)
            } else {
                let scalar = self.as_lanes(value)?;
                let words = self.code.lanes_as_words(&scalar);
                let word = self.code.in_register(&words, 0);
                let length = self.code.machine.part_length(Elem::I64, width);
                let view = RegisterView::Vector(length);
                let code = at_length(Code::EVEX_Vpbroadcastq_xmm_k1z_xmmm64, length);
                let all = self.code.def(code, VECTOR, view, &[vector(word, VectorLength::X)]);
                let parts = self.code.machine.part_count(Elem::I64, width);
                WideValue::of(Elem::I64, width, std::iter::repeat_n(all, parts))
            };
            self.code.spill(&words, 8 * width * i);
        }
        let set = self.lanes(set)?;
        let lanes = self.code.mask_bits(&set);
        let (thread, number) = (self.scalar(thread)?, self.code.number(message.into()));
        let words = self.code.address(MemoryOperand::room(0));
        let host = self.host();
        let [state, tell] = [std::mem::offset_of!(HostCalls, state), std::mem::offset_of!(HostCalls, tell)]
            .map(|offset| self.load_qword(MemoryOperand::behind(host, offset as i32)));
        self.call(tell, &[state, number, lanes, thread, words]);
        Ok(())
    }

    /// Zeroes memory of the worker.
    pub(super) fn clear(&mut self, from: LaneValue, bytes: u64) -> Lowered<()> {
        let from = self.scalar(from)?;
        if bytes <= CLEARED_INLINE {
            self.code.clear(from, bytes);
            return Ok(());
        }
        let (bytes, function) = (self.code.number(bytes), self.code.number(clear_bytes as *const () as usize as u64));
        self.call(function, &[from, bytes]);
        Ok(())
    }

    /// Copies an aggregate for each lane: all is read before any is written.
    pub(super) fn copy(
        &mut self,
        shape: u32,
        to: &LaneAddress,
        from: &LaneAddress,
        read: Option<LaneValue>,
        set: Option<LaneValue>,
    ) -> Lowered<()> {
        let runs = runs(&self.program.copies[shape as usize]);
        let moves: Vec<ByteMove> = runs.iter().flat_map(moves).collect();
        let (read, set) = (self.optional_mask(read)?, self.optional_mask(set)?);
        let read_bits = read.map(|read| self.code.mask_bits(&read));
        let both = to.along == AddressStep::Uniform && from.along == AddressStep::Uniform && read_bits.is_none();
        let list = (moves.len() > INLINE || moves.iter().any(|step| step.to < 0 || step.from < 0)).then(|| {
            let (list, count) = keep(&mut self.runs, runs);
            (list, count as u64)
        });
        let places = [self.places_at(to, 0)?, self.places_at(from, 1)?];
        let thunk = self.thunk;
        let one = |code: &mut CodeWriter, lane: VReg| {
            let [to, from] = [&places[0], &places[1]].map(|place| code.lane_memory(place, lane));
            let readable = read_bits.map(|bits| {
                let sources = [qword(bits), qword(lane)];
                let bit = code.def(Code::VEX_Shrx_r64_rm64_r64, INT, RegisterView::Qword, &sources);
                code.def_over(Code::And_rm32_imm32, RegisterView::Dword, bit, &[InstOperand::Imm32(1)], None)
            });
            match list {
                Some(list) => code.copy_by_call(thunk, [to, from], readable, list),
                None => code.copy_inline([to, from], readable, &moves),
            }
        };
        match (both, &set) {
            (false, _) => self.code.loop_over_lanes(self.program.width, set.as_ref(), one),
            (true, None) => {
                let lane = self.code.number(0);
                one(&mut self.code, lane);
            }
            (true, Some(set)) => {
                let (some, none, join) = (self.code.block(), self.code.block(), self.code.block());
                let flags = self.code.any(set);
                self.code.branch(flags, some, none);
                self.code.begin(none);
                self.code.jump(join, Vec::new());
                self.code.begin(some);
                let lane = self.code.number(0);
                one(&mut self.code, lane);
                self.code.jump(join, Vec::new());
                self.code.begin(join);
            }
        }
        Ok(())
    }
}

/// Splits a run into moves of one instruction.
fn moves(run: &ByteRun) -> Vec<ByteMove> {
    let mut done = 0;
    let mut moves = Vec::new();
    for bytes in [16, 8, 4, 2, 1] {
        while run.bytes - done >= bytes {
            // Offsets that do not fit are copied by the call.
            let offset = |start: u64| i32::try_from(start + done).unwrap_or(-1);
            moves.push(ByteMove { to: offset(run.to), from: offset(run.from), bytes: bytes as u32 });
            done += bytes;
            if moves.len() > INLINE {
                return moves;
            }
        }
    }
    moves
}

impl CodeWriter {
    /// Lanes as 64-bit words with the bits of each, zero-extended.
    fn lanes_as_words(&mut self, lanes: &WideValue) -> WideValue {
        match lanes.elem {
            Elem::Bool => self.number_of(lanes, Elem::I64),
            Elem::I32 | Elem::F32 => self.extended(&lanes.seen_as(Elem::I32), Elem::I64, false),
            Elem::I64 | Elem::F64 => lanes.seen_as(Elem::I64),
        }
    }

    fn copy_inline(&mut self, [to, from]: [MemoryOperand; 2], readable: Option<VReg>, moves: &[ByteMove]) {
        let Some(readable) = readable else { return self.copy_moves([to, from], moves) };
        let (copy, clear, join) = (self.block(), self.block(), self.block());
        self.effect(Code::Test_rm32_r32, &[dword(readable), dword(readable)], None);
        self.branch(Condition::NotEqual, copy, clear);
        self.begin(copy);
        self.copy_moves([to, from], moves);
        self.jump(join, Vec::new());
        self.seldom(|code| {
            code.begin(clear);
            let (zero, zeros) = (code.number(0), code.zero());
            for step in moves {
                let to = code.further(to, step.to.into());
                code.store_move(to, step.bytes, if step.bytes == 16 { zeros } else { zero });
            }
            code.jump(join, Vec::new());
        });
        self.begin(join);
    }

    fn copy_moves(&mut self, [to, from]: [MemoryOperand; 2], moves: &[ByteMove]) {
        let mut values: SmallVec<[VReg; 12]> = SmallVec::new();
        for step in moves {
            let from = InstOperand::Mem(self.further(from, step.from.into()));
            let x = RegisterView::Vector(VectorLength::X);
            values.push(match step.bytes {
                16 => self.def(Code::EVEX_Vmovups_xmm_k1z_xmmm128, VECTOR, x, &[from]),
                8 => self.def(Code::Mov_r64_rm64, INT, RegisterView::Qword, &[from]),
                4 => self.def(Code::Mov_r32_rm32, INT, RegisterView::Dword, &[from]),
                2 => self.def(Code::Movzx_r32_rm16, INT, RegisterView::Dword, &[from]),
                _ => self.def(Code::Movzx_r32_rm8, INT, RegisterView::Dword, &[from]),
            });
        }
        for (step, value) in moves.iter().zip(values) {
            let to = self.further(to, step.to.into());
            self.store_move(to, step.bytes, value);
        }
    }

    fn store_move(&mut self, to: MemoryOperand, bytes: u32, value: VReg) {
        if bytes < 16 {
            return self.store_raw(to, bytes, value);
        }
        let operands = [InstOperand::Mem(to), vector(value, VectorLength::X)];
        self.effect(Code::EVEX_Vmovups_xmmm128_k1z_xmm, &operands, None);
    }

    /// Copies by a call; a null source reads as zeros.
    fn copy_by_call(
        &mut self,
        thunk: usize,
        [to, from]: [MemoryOperand; 2],
        readable: Option<VReg>,
        (list, count): (u64, u64),
    ) {
        let (to, mut from) = (self.address(to), self.address(from));
        if let Some(readable) = readable {
            let null = self.number(0);
            self.effect(Code::Test_rm32_r32, &[dword(readable), dword(readable)], None);
            from = self.def_over(Code::Cmovne_r64_rm64, RegisterView::Qword, null, &[qword(from)], None);
        }
        let (list, count) = (self.number(list), self.number(count));
        let function = self.number(copy_runs as *const () as usize as u64);
        let thunk = self.number(thunk as u64);
        self.call(thunk, &[(to, 7), (from, 6), (list, 2), (count, 1), (function, 11)]);
    }
}
